// Website visitors in tests: a widget of a new owner, and the requests that its publishable id allows.
import assert from 'node:assert/strict'
import { anAgent, type TestApp } from './app.ts'
import { webCaller } from './web-caller.ts'

export const site = 'https://shop.example'
const secretPrompt = 'You are Sam.\n\nWe are open from 9 to 5.\n\nThe canary is yellow.'

export type Ask = {
  method?: 'GET' | 'POST' | 'OPTIONS'
  origin?: string | null
  token?: string
  body?: object
  from?: string
  accept?: string
}

let people = 0
let addresses = 0

export function visitorsOf(app: TestApp) {
  async function widgetOf(more: object = {}) {
    const owner = await app.newUser(`owner ${++people}`)
    const made = await owner.post('/api/agents', { ...anAgent, language: 'en-US', systemPrompt: secretPrompt })
    const widget = { agentId: made.json.id, name: 'Shop', origins: [site], ...more }
    const { status, json, text } = await owner.post('/api/widgets', widget)
    assert.equal(status, 201, text)
    return { owner, id: json.id as string, agentId: made.json.id as string }
  }

  /** Each request comes from an address of its own unless it names one. */
  const ask = (path: string, { method = 'POST', origin = site, token, body, from, accept }: Ask = {}) =>
    app.anonymous({
      method,
      url: `/widget/${path}`,
      remoteAddress: from ?? `198.51.${Math.floor(++addresses / 250)}.${(addresses % 250) + 1}`,
      headers: {
        ...(origin === null ? {} : { origin }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(accept === undefined ? {} : { accept }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    })

  return {
    widgetOf,
    ask,
    say: (id: string, token: string, text: string, more: Ask = {}) =>
      ask(`${id}/chat/messages`, { token, body: { text }, ...more }),
    chatOf: async (id: string, from?: string): Promise<string> =>
      (await ask(`${id}/chat`, from === undefined ? {} : { from })).json.token,
    callOf: async (id: string, from?: string): Promise<string> =>
      (await ask(`${id}/call`, from === undefined ? {} : { from })).json.token,
    opened: (token: string, origin: string | undefined = site) => webCaller(app, token, ['ramal.v1', token], origin),
  }
}
