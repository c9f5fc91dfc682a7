// When the larger Whisper is left out. With its package it is measured by bench/recognition/run.ts.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLog } from '../../base/process/log.ts'
import { openLargerWhisper } from './larger.ts'

async function opened(freeMb: number, signal = new AbortController().signal) {
  const home = await mkdtemp(join(tmpdir(), 'larger-'))
  const told: string[] = []
  const log = createLog('info', { write: (line) => void told.push(JSON.parse(line).msg) })
  try {
    const folder = join(home, 'whisper-larger')
    const parts = { source: join(home, 'absent'), folder, log, signal, freeMb }
    return { stt: await openLargerWhisper(parts), told, files: await readdir(home) }
  } finally {
    await rm(home, { recursive: true })
  }
}

test('where memory is short the larger model is neither prepared nor loaded, and the log says so', async () => {
  const { stt, told, files } = await opened(1499)
  assert.deepEqual([stt, files], [undefined, []])
  assert.match(told.join(), /^[^,]*not used: too little memory is free$/)
})

test('a larger model that cannot be opened is left out, and the log says so', async () => {
  const { stt, told } = await opened(1500)
  assert.equal(stt, undefined)
  assert.match(told.join(), /^[^,]*not used: it could not be opened$/)
})

test('a server that is stopping does not report the model that it no longer opens', async () => {
  const { stt, told } = await opened(1500, AbortSignal.abort())
  assert.deepEqual([stt, told], [undefined, []])
})
