// Messages to a phone whose connection another node has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appError } from '../../base/errors.ts'
import { createLog } from '../../base/log.ts'
import type { OutboundMessage } from '../../phone/sip-messages.ts'
import type { Cluster } from '../node/cluster.ts'
import { phoneMessages } from './phone-messages.ts'

const text: OutboundMessage = { userId: 'u', deviceId: 'd', text: 'Olá', from: null, to: null }

/** Two nodes; the phone is connected to the second. */
function nodes(answers = true) {
  const log = createLog('silent')
  const handlers = new Map<string, (body: never) => Promise<unknown>>()
  const sent: string[] = []
  const cluster = (own: string): Cluster => ({
    handle: (name, handler) => void handlers.set(`${own} ${name}`, handler),
    async request(node, name, body) {
      const handler = handlers.get(`${node} ${name}`)
      if (!handler || !answers) throw appError('call_other_node', { node })
      return handler(JSON.parse(JSON.stringify(body)) as never)
    },
    serve: () => {},
    connect: () => assert.fail('no stream is needed'),
  })
  const node = (name: string, connectedTo?: string) =>
    phoneMessages({ cluster: cluster(name), log }, () => ({
      connectedNodeOf: () => connectedTo,
      async sendMessage(message) {
        sent.push(`${name}: ${message.text}`)
        return { ok: true, detail: 'delivered' }
      },
    }))
  return { one: node('one', 'two'), two: node('two'), sent }
}

test('the node that has the connection sends the message', async () => {
  const { one, two, sent } = nodes()
  assert.deepEqual(await one(text), { ok: true, detail: 'delivered' })
  assert.deepEqual(await two({ ...text, text: 'own' }), { ok: true, detail: 'delivered' })
  assert.deepEqual(sent, ['two: Olá', 'two: own'])
})

test('when that node does not answer, the message may have arrived', async () => {
  const { one, sent } = nodes(false)
  const { ok, isDoubtful, detail } = await one(text)
  assert.deepEqual([ok, isDoubtful, sent], [false, true, []])
  assert.match(detail, /node two/)
})
