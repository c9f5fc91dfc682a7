import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRun, aTool, runTool } from '../../test/tool-runs.ts'
import type { Llm, Message } from '../voice/ports.ts'
import { contextFrom, prefetchingLlm } from './prefetching-llm.ts'
import { type FindPassages, NOTHING_FOUND, passagesText, query } from './query.ts'

type Asked = Parameters<FindPassages>[0]
type Found = Awaited<ReturnType<FindPassages>>

function finder(passages: Partial<Found['passages'][number]>[], missing: string[] = []) {
  const asked: Asked[] = []
  const find: FindPassages = async (one) => {
    asked.push(one)
    const usual = { score: 0.8, documentId: 'doc', documentName: 'Guide', number: 1, heading: '', content: '' }
    return { passages: passages.map((each) => ({ ...usual, ...each })), missing, by: 'words', isDegraded: false }
  }
  return { asked, kind: query(find) }
}
const tool = (config: object = {}) => aTool({ type: 'query', config: { knowledgeBaseIds: ['kb_1'], ...config } })
const never = new AbortController().signal

test("passages are returned with their sources, using the tool's settings", async () => {
  const { asked, kind } = finder([
    { heading: 'Prices › Rooms', content: 'A single room is 85.' },
    { documentName: 'House rules', content: 'No smoking.' },
  ])
  const outcome = await runTool(kind, tool(), aRun({ query: ' what does a room cost ' }, { language: 'en-GB' }))
  assert.deepEqual(outcome, {
    ok: true,
    text: '[1] Guide › Prices › Rooms\nA single room is 85.\n\n[2] House rules\nNo smoking.',
  })
  const usual = { userId: 'usr_1', knowledgeBaseIds: ['kb_1'], query: 'what does a room cost', language: 'en-GB' }
  assert.deepEqual(asked, [{ ...usual, topK: 5, minScore: null }])
  await runTool(kind, tool({ topK: 2, minScore: 0.5 }), aRun({ query: 'x' }))
  assert.deepEqual([asked[1]?.topK, asked[1]?.minScore], [2, 0.5])
})

test('passages are added while they fit; a first passage that is too long is cut at the end of a sentence', () => {
  const passages = ['First one. '.repeat(30), 'Second one. '.repeat(20), 'Third.'].map((content) => ({
    score: 1,
    documentName: 'D',
    heading: '',
    content: content.trim(),
  }))
  const text = passagesText(passages, 400)
  assert.ok(text.length <= 400)
  assert.match(text, /^\[1\] D\nFirst one\..*\n\n\[2\] D\nThird\.$/s)
  const cut = passagesText(passages, 100)
  assert.ok(cut.length <= 100 && cut.endsWith('First one.'), cut)
  assert.equal(passagesText(passages, 3), '')
  assert.equal(passagesText([], 1000), '')
})

test('an empty result and a missing base are reported plainly', async () => {
  const { kind } = finder([], ['kb_2'])
  const outcome = await runTool(kind, tool({ knowledgeBaseIds: ['kb_1', 'kb_2'] }), aRun({ query: 'x' }))
  assert.deepEqual(outcome, { ok: true, text: `${NOTHING_FOUND} The knowledge base kb_2 was not found.` })
  assert.deepEqual(await runTool(kind, tool(), aRun({ query: '  ' })), { ok: false, error: 'Missing: query' })
})

test('a tool without a base is unusable and says why; the tool is read-only', () => {
  const { kind } = finder([])
  for (const knowledgeBaseIds of [undefined, null, []]) {
    assert.match(kind.problem?.(tool({ knowledgeBaseIds })) ?? '', /knowledgeBaseIds/)
    assert.deepEqual(kind.functions(tool({ knowledgeBaseIds })), [])
  }
  const [offer] = kind.functions(tool())
  assert.deepEqual([offer?.hasEffect, offer?.isRepeatable], [false, true])
})

test('a renamed parameter is used as the query', async () => {
  const { asked, kind } = finder([])
  const parameters = { type: 'object', properties: { pergunta: { type: 'string' } } }
  await runTool(kind, { ...tool(), parameters }, aRun({ pergunta: 'onde fica?' }))
  assert.equal(asked[0]?.query, 'onde fica?')
})

test('autoInject adds context once per utterance; without it nothing is added', async () => {
  const { asked, kind } = finder([{ heading: 'Pool', content: 'Opens at six.' }])
  const seen: (readonly Message[])[] = []
  const llm: Llm = {
    name: 'm',
    isModel: true,
    async *reply(history) {
      seen.push(history)
      yield { say: 'ok' }
    },
  }
  const kinds = { query: kind }
  const trouble = (error: unknown) => assert.fail(String(error))
  const ask = async (config: object, ...said: Message[]) => {
    const knowing = prefetchingLlm(llm, contextFrom([tool(config)], kinds, 'en', trouble))
    for (let times = 0; times < 2; times++)
      await Array.fromAsync(
        knowing.reply([{ role: 'system', content: 'Be kind.' }, ...said], [], { language: 'en' }, never),
      )
    return seen.at(-1) ?? []
  }
  const said: Message[] = [
    { role: 'user', content: 'Hello' },
    { role: 'agent', content: 'Good morning' },
    { role: 'user', content: 'When does' },
    { role: 'user', content: 'the pool open?' },
  ]
  const told = await ask({ autoInject: true }, ...said)
  assert.equal(told.length, 5)
  assert.match(told[0]?.content ?? '', /^Be kind\.[\s\S]*## Guide › Pool\nOpens at six\.$/)
  assert.deepEqual(
    asked.map(({ query: words }) => words),
    ['When does the pool open?'],
  )
  assert.equal((await ask({}, ...said))[0]?.content, 'Be kind.')
  assert.equal((await ask({ autoInject: true }))[0]?.content, 'Be kind.')
  assert.equal(prefetchingLlm(llm, contextFrom([aTool({})], kinds, 'en', trouble)), llm)
})

test('a failed prefetch does not stop the model', async () => {
  const kind = query(async () => {
    throw new Error('the database is away')
  })
  const troubles: unknown[] = []
  const context = contextFrom([tool({ autoInject: true })], { query: kind }, 'en', (error) => troubles.push(error))
  assert.equal(await context?.('x', never), '')
  assert.equal(troubles.length, 1)
  await kind.ready?.(tool()) // must not throw either
})
