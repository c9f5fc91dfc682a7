// The commands of the guides run as a reader would paste them.
// @run rest: it starts the platform once for each guide
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, guidesWithCommands, parseBlocks, statementsOf } from './blocks.ts'
import { followGuide } from './follow.ts'
import { isComplete } from './shell.ts'

for (const guide of guidesWithCommands)
  test(`every command of docs/${guide}.md works`, async () => {
    const outcomes = await followGuide(guide)
    const failed = outcomes.filter(({ status }) => status === 'failed')
    assert.deepEqual(
      failed.map(({ block, detail }) => `line ${block.line}: ${detail}`),
      [],
    )
    assert.ok(outcomes.length > 0)
  })

test('a wrong command, a refused request and a broken example are found', async () => {
  const source = [
    '```sh\nramal keys list\n```',
    '```sh\ncurl -s localhost:3000/api/agents -H "X-Api-Key: wrong"\n```',
    '```sh\ncurl -s localhost:3000/api/agents -H "X-Api-Key: $KEY" | jq -e ".[0].id"\n```',
    '```json\n{ "a": 1, }\n```',
    '```ts\nimport { createServer } from "node:http"\ncreateServer((_, response) => response.end("{}")).listen(8080)\n```',
    '```env\nMAX_CALLS=none\n```',
    '```sh norun: needs a carrier\nfalse\n```',
  ].join('\n')
  const outcomes = await followGuide('made-up', parseBlocks('made-up', source))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['failed', 'failed', 'passed', 'failed', 'failed', 'failed', 'norun'],
  )
})

test('a block without a reason is refused, and statements are told apart', () => {
  assert.throws(() => parseBlocks('a', '```sh norun\nx\n```'), /norun: REASON/)
  assert.throws(() => parseBlocks('a', '```sh norun:\nx\n```'), /norun: REASON/)
  assert.ok(guidesWithCommands.every((guide) => blocksOf(guide).length > 0))
  const text = "# a comment\na \\\n  -b\n\nc '{\n}' # note\nd"
  assert.deepEqual(statementsOf(text, isComplete), ['a \\\n  -b', "c '{\n}' # note", 'd'])
})
