// An owner whose number has an answer hook, for tests of what a caller hears and what is stored.
import type { TestContext } from 'node:test'
import { anAgent, type Client } from '../app.ts'
import { agentOnTrunk, type PhoneApp } from '../phone-app.ts'
import { openByHand } from '../phones/by-hand.ts'
import { until } from '../until.ts'
import { openWebServer, sendJson, type WebHandler } from '../web-server.ts'

/** Each carrier has an address of its own, or users would share one. */
let carriers = 10

export const answers =
  (value: unknown): WebHandler =>
  (_, response) =>
    sendJson(response, value)

export async function hookedNumber(
  t: TestContext,
  app: PhoneApp,
  handle: WebHandler,
  more: { hook?: object; trunk?: object; agent?: object } = {},
) {
  const carrier = await openByHand(t, `127.0.2.${carriers++}`)
  const client = await app.newUser('owner')
  const trunk = { host: carrier.address, ...more.trunk }
  const { agentId, number, trunkId } = await agentOnTrunk(app, client, carrier.port, { trunk, agent: more.agent ?? {} })
  const server = await openWebServer(t, handle)
  const [did] = (await client.get('/api/did')).json
  const hookUrl = `/api/did/${did.id}/answer-hook`
  const { secret } = (
    await client.put(hookUrl, { kind: 'url', url: `${server.url}/in?token=hidden`, timeoutMs: 5000, ...more.hook })
  ).json
  const second: string = (await client.post('/api/agents', { ...anAgent, name: 'Second' })).json.id
  return {
    carrier,
    client,
    agentId,
    trunkId,
    number,
    server,
    secret,
    second,
    hookUrl,
    call: (options: Parameters<typeof carrier.call>[1] = {}) => carrier.call(app.sipPort, { uri: number, ...options }),
  }
}

/** The owner's newest call, once it is stored. */
export const newestCall = async (client: Client) =>
  until('the call is listed', async () => (await client.get('/api/calls')).json[0])

/** The hook's decision, once it is stored. */
export const hookOf = (client: Client, callId: string) =>
  until(
    'the outcome of the hook is stored',
    async () => (await client.get(`/api/calls/${callId}/answer-hook`)).json.hook,
  )
