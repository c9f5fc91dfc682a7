// Which agents are offered `collect`, and under which name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { valueKinds } from '../../dictation/kinds.ts'
import type { Tool } from '../../voice/ports.ts'
import { collectFor, withCollect } from './collect-function.ts'
import { AgentSettings } from './settings-schema.ts'

const toolFor = (settings: AgentSettings | null, isModel = true): Tool | null =>
  collectFor({ agent: { language: 'pt-BR', settings }, session: { llm: { isModel } }, variables: {} })

const kindsOf = (tool: Tool | null) =>
  tool && (tool.parameters as { properties: { kind: { enum: readonly string[] } } }).properties.kind.enum

const resultOf = async (tool: Tool | null, kind: string) =>
  tool?.run(
    { id: '1', name: 'collect', args: { kind } },
    { act: async () => ({ status: 'failed' }), history: [] },
    new AbortController().signal,
  )

test('every agent with a model can collect all kinds', () => {
  assert.deepEqual(kindsOf(toolFor(null)), valueKinds)
  assert.equal(toolFor(null)?.name, 'collect')
  assert.equal(toolFor(null, false), null)
})

test('settings switch it off or restrict its kinds', async () => {
  assert.equal(toolFor({ collect: { enabled: false } }), null)
  assert.equal(toolFor({ collect: { kinds: [] } }), null)
  const tool = toolFor({ collect: { kinds: ['cpf', 'phone'] } })
  assert.deepEqual(kindsOf(tool), ['cpf', 'phone'])
  assert.equal((await resultOf(tool, 'cpf'))?.failed, false)
  assert.equal((await resultOf(tool, 'email'))?.failed, true)
})

test('the schema of the settings lists the same kinds', () => {
  assert.equal(Value.Check(AgentSettings, { collect: { kinds: [...valueKinds] } }), true)
  assert.equal(Value.Check(AgentSettings, { collect: { kinds: ['passport'] } }), false)
})

test("an agent's own tool keeps its name, and a full list is left as it is", () => {
  const named = (name: string) => ({ name })
  const names = (tools: readonly { name: string }[]) => withCollect(tools, toolFor(null)).map(({ name }) => name)
  assert.deepEqual(names([named('agenda')]), ['agenda', 'collect'])
  assert.deepEqual(names([named('collect')]), ['collect', 'collect_value'])
  const full = Array.from({ length: 128 }, (_, i) => named(`t${i}`))
  assert.equal(names(full).length, 128)
  assert.deepEqual(withCollect([named('a')], null), [named('a')])
})

test("today is the date at the agent's place", async () => {
  const { text } = (await resultOf(toolFor(null), 'date')) as { text: string }
  assert.match(JSON.parse(text).today, /^\d{4}-\d\d-\d\d$/)
})
