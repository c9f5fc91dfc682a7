// The process under test: the platform with an agent that plays an endless tone, listens and records. It stalls on
// request.
import { anAgent, startTestApp } from '../../test/app.ts'
import { toneAgent } from '../../test/phone/talks.ts'
import { addressOf } from '../../test/web-caller.ts'

export type HostIs = { address: string; key: string; agentId: string }
export type ToHost = { stallMs: number }

const app = await startTestApp({ MAX_CALLS: '2000', MAX_CALLS_PER_USER: '2000' }, { converse: toneAgent().converse })
const { id: agentId } = (await app.ana.post('/api/agents', anAgent)).json
process.on('message', ({ stallMs }: ToHost) => {
  const end = performance.now() + stallMs
  while (performance.now() < end);
})
process.send?.({ address: await addressOf(app), key: app.ana.key, agentId } satisfies HostIs)
