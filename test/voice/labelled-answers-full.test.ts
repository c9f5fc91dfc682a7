// More than 200 synthetic answers, given to a real session with the real VAD: no person is hung up on, and few mailboxes are greeted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSilero } from '../../src/speech/vad/silero.ts'
import { outcomeOf, type Result, results } from './answer-results.ts'
import { labelledAnswers } from './labelled-answers.ts'

for (const voicemail of ['hangup', 'message'] as const)
  test(`answers are told apart, with the action ${voicemail}`, async (t) => {
    const vad = await openSilero()
    t.after(() => vad.close())
    const all: Result[] = []
    const table = new Map<string, number>()
    for await (const result of results(vad, labelledAnswers(), voicemail)) {
      all.push(result)
      const row = `${result.label}: ${outcomeOf(result)}`
      table.set(row, (table.get(row) ?? 0) + 1)
      if (outcomeOf(result) !== 'right') t.diagnostic(`${result.name}: ${result.answeredBy}, ${result.end}`)
    }
    for (const [row, count] of table) t.diagnostic(`${row}: ${count}`)
    assert.ok(all.length >= 200)
    const names = (wrong: readonly Result[]) => wrong.map(({ name }) => name)
    assert.deepEqual(names(all.filter((each) => outcomeOf(each) === 'hung up on')), [])
    assert.deepEqual(names(all.filter((each) => outcomeOf(each) === 'wrong')), [])
    const mailboxes = all.filter(({ label }) => label === 'mailbox')
    const greeted = mailboxes.filter((each) => outcomeOf(each) === 'greeted')
    assert.ok(greeted.length <= 0.1 * mailboxes.length, `${greeted.length} of ${mailboxes.length}: ${names(greeted)}`)
    for (const { name, toneNames, tones } of all) assert.deepEqual(toneNames, tones, name)
  })
