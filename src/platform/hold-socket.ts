import type { Socket } from 'node:net'

/** A second reason for reading nothing of a connection, beside Node's own. */
export type HeldSocket = { hold: () => void; release: () => void }

/**
 * Node pauses a connection and goes on as it needs more of a body, whoever else has paused it. What it asks for while the connection is held
 * counts once that is over.
 */
export function holdable(socket: Socket): HeldSocket {
  const [pause, resume] = [socket.pause.bind(socket), socket.resume.bind(socket)]
  let isHeld = false
  let isPaused = false
  socket.pause = () => {
    isPaused = true
    return pause()
  }
  socket.resume = () => {
    isPaused = false
    return isHeld ? socket : resume()
  }
  return {
    hold: () => {
      isHeld = true
      pause()
    },
    release: () => {
      isHeld = false
      if (!isPaused && !socket.destroyed) resume()
    },
  }
}
