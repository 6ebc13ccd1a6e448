import type { Socket } from 'node:net'

/** A second reason for reading nothing of a connection, beside Node's own. */
export type HeldSocket = { hold: () => void; release: () => void }

/**
 * Node pauses a connection and goes on as it needs more of a body, whoever else has paused it. What it asks for while the connection is held
 * counts once that is over. `asked`: Node asks for more meanwhile.
 */
export function holdable(socket: Socket, asked: () => void): HeldSocket {
  const [pause, resume] = [socket.pause.bind(socket), socket.resume.bind(socket)]
  let isHeld = false
  let isPaused = false
  socket.pause = () => {
    isPaused = true
    return pause()
  }
  socket.resume = () => {
    isPaused = false
    if (!isHeld) return resume()
    asked()
    return socket
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
