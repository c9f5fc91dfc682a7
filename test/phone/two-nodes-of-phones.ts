// Two nodes that share a database, with an agent who answers NUMBER on both and stays in the call.
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { newPostgresDatabase } from '../app.ts'
import { agentOnService, answeredCall, NUMBER, startPhoneService } from '../phone-service.ts'
import { openByHand } from '../phones/by-hand.ts'

export async function startTwoNodes(t: TestContext) {
  const env = {
    DATABASE_URL: await newPostgresDatabase({ isMigrated: true }),
    MASTER_KEY: randomBytes(24).toString('hex'),
    // The phones play tones only.
    STT_PROVIDER: 'deepgram',
    DEEPGRAM_API_KEY: 'none',
    DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
  }
  const one = await startPhoneService({ ...env, NODE_NAME: 'one' })
  const two = await startPhoneService({ ...env, NODE_NAME: 'two' }, { key: one.key })
  const carrier = await openByHand(t)
  const { agentId } = await agentOnService(one, { host: '127.0.0.1', port: carrier.port }, NUMBER)
  for (const node of [one, two]) await (await answeredCall(carrier, node.sipPort)).bye()
  return { one, two, agentId }
}
