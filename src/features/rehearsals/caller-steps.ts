// The caller's steps in a rehearsal: as text, synthesized, given as audio, or taken from a call recording.
import { joinPcm } from '../../audio/pcm.ts'
import { resampleInSteps } from '../../audio/resample-in-steps.ts'
import { readWav, type Wav } from '../../audio/wav.ts'
import { appError } from '../../base/errors/errors.ts'
import { type RecordingSource, readWhole } from '../../object-storage/recording-source.ts'
import { channelsOf, stepsOfRecording, stepsOfTurns } from '../../simulation/replay.ts'
import type { RealSpeech } from '../../simulation/run.ts'
import type { ScriptStep } from '../../simulation/script.ts'
import type { SpeechService } from '../../speech/open.ts'
import { chooseVoice } from '../../voice/playout/agent-voice.ts'
import type { Agent } from '../agents/schema.ts'
import type { Turn } from '../calls/schema.ts'
import type { CallStore } from '../calls/store.ts'
import type { StoredRecording } from '../recordings/recording-store.ts'
import type { NewRehearsal } from './schema.ts'
import { LIMIT_MS } from './store.ts'

const RATE_HZ = 8000
/** Fifteen minutes of two channels at 16 kHz. */
const MAX_RECORDING_BYTES = 60_000_000

export type Replayed = { turns: Turn[]; variables: Record<string, string>; direction: 'inbound' | 'outbound' }
export type MakeSteps = () => Promise<ScriptStep[]>
export type StepParts = {
  calls: Pick<CallStore, 'recordingOf'>
  openRecording: (recording: StoredRecording) => Promise<RecordingSource>
  slotsOf: () => SpeechService['slots']
}

/** Validates at once; the slow work happens in the returned function. */
export async function stepsFor(
  parts: StepParts,
  userId: string,
  asked: NewRehearsal,
  agent: Agent,
  replay: Replayed | null,
  real: RealSpeech | null,
): Promise<MakeSteps> {
  const steps = asked.steps ?? []
  // A rehearsal made from a call has its own steps.
  const isReplay = replay !== null && !asked.steps
  if (real && isReplay) return recordedSteps(parts, userId, asked.replayOf ?? '', real)
  if (real) return spokenSteps(parts.slotsOf(), steps, agent)
  return async () => (isReplay ? stepsOfTurns(replay.turns) : steps.map(({ audio, ...step }): ScriptStep => step))
}

/** Synthesizes the caller's speech before the call starts, so that it takes no call time. */
async function spokenSteps(
  slots: SpeechService['slots'],
  steps: NonNullable<NewRehearsal['steps']>,
  agent: Agent,
): Promise<MakeSteps> {
  const tts = Object.values(slots).find(({ name }) => name === 'embedded') ?? slots[agent.ttsProvider]
  const limit = AbortSignal.timeout(LIMIT_MS)
  const { say } = await chooseVoice({ tts, voiceId: null, language: agent.language }, limit)
  const given = steps.map(({ audio, ...step }) => ({ step, wav: audio ? decodeWav(audio) : null }))
  return async () => {
    const spoken: ScriptStep[] = []
    for (const { step, wav } of given) {
      if (wav) spoken.push({ ...step, pcm: await resampleInSteps(wav.pcm, wav.rateHz, RATE_HZ) })
      else spoken.push(step.says ? { ...step, pcm: await pcmOf(say(step.says, limit)) } : step)
    }
    return spoken
  }
}

async function recordedSteps(
  { calls, openRecording }: StepParts,
  userId: string,
  callId: string,
  { vad }: RealSpeech,
): Promise<MakeSteps> {
  const recording = await calls.recordingOf(userId, callId)
  await (await openRecording(recording)).close()
  return async () => {
    const source = await openRecording(recording)
    try {
      if (source.bytes > MAX_RECORDING_BYTES) throw appError('rehearsal_recording_long')
      return stepsOfRecording(await channelsOf(await readWhole(source)), vad)
    } finally {
      await source.close()
    }
  }
}

function decodeWav(base64: string): Wav {
  try {
    return readWav(Buffer.from(base64, 'base64'))
  } catch (cause) {
    const why = cause instanceof RangeError ? `: ${cause.message} (4000 to 192000, a multiple of 25)` : ''
    throw appError('rehearsal_audio_invalid', { reason: why }, { cause })
  }
}

async function pcmOf(frames: AsyncIterable<{ pcm: Int16Array; rateHz: number }>): Promise<Int16Array> {
  const whole: Int16Array[] = []
  let rateHz = RATE_HZ
  for await (const frame of frames) {
    whole.push(frame.pcm)
    rateHz = frame.rateHz
  }
  return resampleInSteps(joinPcm(whole), rateHz, RATE_HZ)
}
