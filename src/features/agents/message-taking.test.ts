import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import type { ChainLink } from '../../failover/ports.ts'
import { ruleAgent } from '../../llm/rule-agent.ts'
import type { Llm, Message } from '../../voice/ports.ts'
import type { NewCallback } from '../callbacks/store.ts'
import { messageTaking } from './message-taking.ts'

const link = (id: string, engine: Llm): ChainLink<Llm> => ({ id, version: '', name: id, model: null, engine })
const model: Llm = { name: 'm', isModel: true, reply: async function* () {} }
const rules = link('embedded', ruleAgent())

function taking(ownNumber: string | null) {
  const requests: NewCallback[] = []
  const request = async (_userId: string, asked: NewCallback) => {
    requests.push(asked)
    return null
  }
  const parts = { callbacks: { request }, write: (task: () => Promise<unknown>) => task() }
  const of = { userId: 'usr', conversationId: 'cnv', callId: 'cal', ownNumber }
  return { requests, ...messageTaking({ ...parts, log: pino({ level: 'silent' }) }, of) }
}

test('the message taker replaces the rule agent only where a model can fail', () => {
  const { links } = taking(null)
  assert.equal(links([rules])[0]?.engine.name, 'rules')
  const chain = links([link('prv_1', model), rules])
  assert.deepEqual(
    chain.map(({ id, engine }) => [id, engine.isModel, engine.name]),
    [
      ['prv_1', true, 'm'],
      ['embedded', false, 'message taker'],
    ],
  )
})

test('what was taken is stored when the caller leaves, with a number that can be called', async () => {
  for (const [own, stored] of [
    ['+55 11 98765-4321', '+5511987654321'],
    ['anonymous', null],
    ['1234', null],
  ] as const) {
    const { links, end, requests } = taking(own)
    const engine = links([link('prv_1', model), rules])[1]?.engine
    const history: Message[] = [{ role: 'user', content: 'Preciso remarcar a minha consulta' }]
    for await (const _ of engine?.reply(history, [], { language: 'pt-BR' }, new AbortController().signal) ?? []);
    await end()
    await end()
    assert.deepEqual(requests, [
      {
        conversationId: 'cnv',
        callId: 'cal',
        reason: 'no_model',
        name: null,
        phoneNumber: stored,
        matter: 'Preciso remarcar a minha consulta',
      },
    ])
  }
})
