// Scenarios written as data: each file in rehearsals/ and each example of the guide is rehearsed against its scripted
// model or the built-in rules, and must have the expected outcome.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import type { Agent } from '../../src/features/agents/schema.ts'
import { sessionOptions } from '../../src/features/agents/session-options.ts'
import { turnMetrics } from '../../src/features/agents/turn-metrics.ts'
import { NewRehearsal } from '../../src/features/rehearsals/schema.ts'
import { checkRehearsal } from '../../src/features/rehearsals/script-checks.ts'
import { validatorCompiler } from '../../src/http/validation.ts'
import { ruleAgent } from '../../src/llm/rule-agent.ts'
import { checkAll } from '../../src/simulation/checks.ts'
import { runRehearsal } from '../../src/simulation/run.ts'
import type { OfferedTool } from '../../src/simulation/scripted-tools.ts'
import { sentences } from '../../src/speech/text/sentences.ts'
import type { Llm } from '../../src/voice/ports.ts'

/** If the message contains these words, the model says this, or calls that tool and then says it. */
type Answer = { to: string; say?: string; call?: string; args?: object; then?: string }
type Scenario = NewRehearsal & { model?: Answer[]; offers?: OfferedTool[] }

const stored = { name: 'Ana', systemPrompt: 'Você é a Ana.', initialSpeech: 'Olá, sou a Ana.', language: 'pt-BR' }
const never = new AbortController().signal

function scriptedModel(answers: readonly Answer[]): Llm {
  return {
    name: 'script',
    isModel: true,
    async *reply(history) {
      const last = history.at(-1)
      const asked = history.findLast(({ role }) => role === 'user')?.content.toLowerCase() ?? ''
      const answer = answers.find(({ to }) => asked.includes(to))
      if (!answer) yield { say: 'Não entendi.' }
      else if (last?.role === 'tool') yield { say: answer.then ?? '' }
      else if (answer.call) yield { call: { id: 'call_1', name: answer.call, args: answer.args ?? {} } }
      else yield { say: answer.say ?? '' }
    },
  }
}

async function outcomeOf(scenario: Scenario) {
  const agent = { ...stored, settings: null, ...scenario.agent } as unknown as Agent
  const call = { direction: scenario.direction ?? 'inbound', fromNumber: null, toNumber: '' }
  const { options } = sessionOptions(agent, scenario.variables ?? {}, call)
  const llm = scenario.model ? scriptedModel(scenario.model) : ruleAgent()
  const parts = { llm, sentences, tools: scenario.offers ?? [], options, metrics: turnMetrics() }
  const outcome = await runRehearsal({ ...scenario, steps: scenario.steps ?? [] }, parts, never)
  return { outcome, checks: checkAll(scenario.expect ?? [], outcome) }
}

const root = join(import.meta.dirname, '..', '..')
const files = globSync(['docs/rehearsals/*.json', 'test/voice/rehearsals/*.json'], { cwd: root }).sort()
const read = (file: string): Scenario => JSON.parse(readFileSync(join(root, file), 'utf8'))
const validate = validatorCompiler({ schema: NewRehearsal, httpPart: 'body' })

test('all examples and scenarios are scripts that the API accepts', () => {
  assert.ok(files.length >= 9)
  for (const file of files) {
    const { model, offers, ...script } = read(file)
    const body = { ...script, agentId: 'x' }
    assert.ok(validate(body), `${file}: ${JSON.stringify(validate.errors)}`)
    checkRehearsal(body)
    assert.ok((script.expect ?? []).length > 0, `${file} expects nothing`)
  }
})

for (const file of files)
  test(`${basename(file, '.json')}: ${read(file).name}`, async () => {
    const { outcome, checks } = await outcomeOf(read(file))
    const failed = checks.filter(({ passed }) => !passed)
    assert.deepEqual(failed, [], JSON.stringify(outcome.transcript, null, 1))
  })

test('a script has the same outcome every time', async () => {
  const scenario = read('test/voice/rehearsals/interrupted-answer.json')
  const [one, two] = [await outcomeOf(scenario), await outcomeOf(scenario)]
  assert.deepEqual(one.outcome.transcript, two.outcome.transcript)
  assert.equal(one.outcome.durationMs, two.outcome.durationMs)
})
