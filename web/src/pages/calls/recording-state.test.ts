import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordingNote, recordingTexts } from './recording-state.ts'

const noteOf = (recordingStatus: 'none' | 'recording' | 'complete' | 'partial' | 'failed', ended = true) =>
  recordingNote(
    { recordingStatus, recordingError: 'disk_full', endedAt: ended ? '2026-01-01T00:00:00.000Z' : null },
    recordingTexts.en,
  )

test('no note for a complete recording or a call in progress', () => {
  assert.equal(noteOf('complete'), null)
  assert.equal(noteOf('none', false), null)
  assert.equal(noteOf('recording', false), null)
})

test('an incomplete or failed recording gives the reason', () => {
  assert.match(noteOf('partial') ?? '', /Incomplete.*disk was full/)
  assert.match(noteOf('failed') ?? '', /failed.*disk was full/)
  assert.match(noteOf('none') ?? '', /not recorded/)
  assert.match(noteOf('recording') ?? '', /still being finished/)
})
