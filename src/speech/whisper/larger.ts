// Opens the larger Whisper for second opinions in the background, if this machine has the memory and the speed for it.
import { readFile } from 'node:fs/promises'
import { readWav } from '../../audio/wav.ts'
import type { Log } from '../../base/process/log.ts'
import { NICENESS } from '../../base/process/thread-priority.ts'
import { prepareWhisper } from './prepare.ts'
import { MAX_WAIT_MS } from './second-opinion.ts'
import { openWhisper, type WhisperStt } from './whisper.ts'

/** It takes 0.6 GB, and more while its files are prepared. */
const NEEDED_MB = 1500
/** The first run also loads weights. */
const RUNS = 3

type LargerParts = {
  source: string
  folder: string
  log: Pick<Log, 'info' | 'warn'>
  signal: AbortSignal
  freeMb?: number
}

/** Undefined if it cannot be used; the log says why. */
export async function openLargerWhisper(parts: LargerParts): Promise<WhisperStt | undefined> {
  const { source, folder, log, signal, freeMb = Math.floor(process.availableMemory() / 1e6) } = parts
  if (freeMb < NEEDED_MB) {
    log.info({ freeMb, neededMb: NEEDED_MB }, 'the larger Whisper is not used: too little memory is free')
    return undefined
  }
  let opened: WhisperStt | undefined
  try {
    await prepareWhisper(folder, () => {}, signal, source)
    opened = await openWhisper({ folder, maxWaiting: 1, niceness: NICENESS.secondOpinion })
    const tookMs = await timeOfSample(opened, signal)
    if (tookMs <= MAX_WAIT_MS) {
      log.info({ tookMs }, 'the larger Whisper hears unclear turns again')
      return opened
    }
    log.info({ tookMs, maxMs: MAX_WAIT_MS }, 'the larger Whisper is not used: it is too slow on this machine')
  } catch (err) {
    if (!signal.aborted) log.warn({ err }, 'the larger Whisper is not used: it could not be opened')
  }
  await opened?.close()
  return undefined
}

/** The shortest time for a sentence of 2.4 s. */
async function timeOfSample(stt: WhisperStt, signal: AbortSignal): Promise<number> {
  const { pcm, rateHz } = readWav(await readFile(new URL('../sample/bom-dia.wav', import.meta.url)))
  async function* sample() {
    yield { pcm, rateHz }
  }
  let shortestMs = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    for await (const _ of stt.transcribe(sample(), { language: 'pt-BR' }, signal));
    signal.throwIfAborted()
    shortestMs = Math.min(shortestMs, Math.round(stt.lastMs))
  }
  return shortestMs
}
