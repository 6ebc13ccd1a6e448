import { expect, test } from 'vitest'
import { startReceiverLab } from '../support/receivers.ts'

test('a process trusts the receivers of each of its labs', async () => {
  const labs = await Promise.all(Array.from({ length: 6 }, () => startReceiverLab()))
  try {
    for (const lab of labs) {
      const receiver = await lab.receive('labs.test')
      const answer = await lab
        .outbound()
        .ask({ purpose: 'alert', url: receiver.url, method: 'POST', body: Buffer.from('{}') })
      expect(answer.status).toBe(204)
    }
  } finally {
    for (const lab of labs) lab.close()
  }
})
