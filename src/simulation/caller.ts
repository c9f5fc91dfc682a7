// The scripted caller: performs the steps of a script at their times.
import type { Clock } from '../voice/ports.ts'
import type { CallerAudio } from './caller-audio.ts'
import type { Outages } from './outages.ts'
import type { ScriptStep } from './script.ts'
import type { ScriptedTransport } from './scripted-transport.ts'

export type Scene = {
  clock: Clock
  line: ScriptedTransport
  audio: CallerAudio
  /** The agent has finished its turn and waits for the caller. */
  isListening(): boolean
  /** False: the caller speaks first. */
  agentOpens: boolean
  outages: Outages
}

/** When the caller spoke or pressed a key. */
export type CallerActivity = { fromMs: number; toMs: number }

const POLL_MS = 20
/** Typical gap between two speakers. */
const DEFAULT_GAP_MS = 300
const KEY_MS = 200
/** After this long without an answer, the caller speaks anyway. */
const PATIENCE_MS = 30_000

/** Resolves when the call is over. `onStep` is called after each step. */
export async function followScript(
  steps: readonly ScriptStep[],
  scene: Scene,
  { activities, onStep }: { activities: CallerActivity[]; onStep: () => void },
): Promise<void> {
  const { clock, line, audio } = scene
  const { signal } = line
  let endedMs = 0

  async function until(condition: () => boolean): Promise<void> {
    const limitMs = clock.now() + PATIENCE_MS
    while (!condition() && clock.now() < limitMs && !signal.aborted) await clock.sleep(POLL_MS, signal)
  }
  const isAgentSilent = () => !line.isPlaying && scene.isListening()
  const lastAnswer = () => line.played.find(({ to }) => to > endedMs)

  async function waitForMoment({ afterMs, interruptsAfterMs }: ScriptStep, isFirst: boolean): Promise<void> {
    if (typeof afterMs === 'number') return clock.sleep(afterMs, signal)
    if (typeof interruptsAfterMs === 'number') {
      await until(() => {
        const answer = lastAnswer()
        return (
          answer !== undefined && (clock.now() - Math.max(answer.from, endedMs) >= interruptsAfterMs || isAgentSilent())
        )
      })
      return
    }
    if (isFirst && !scene.agentOpens) return
    await until(() => lastAnswer() !== undefined && isAgentSilent())
    await clock.sleep(DEFAULT_GAP_MS, signal)
  }

  async function pass(ms: number): Promise<void> {
    const fromMs = clock.now()
    activities.push({ fromMs, toMs: fromMs + ms })
    await clock.sleep(ms, signal)
  }

  async function act(step: ScriptStep): Promise<void> {
    if (step.hangsUp) return line.leave()
    if (typeof step.says === 'string') return pass(audio.speak({ text: step.says, ms: step.ms ?? null, pcm: step.pcm }))
    // Noise is not part of what the caller said.
    if (typeof step.noise === 'number') return clock.sleep(audio.noise(step.noise), signal)
    if (step.outage) return scene.outages.begin(step.outage)
    for (const key of step.presses ?? '') {
      line.press(key)
      await pass(KEY_MS)
    }
  }

  for (const [i, step] of steps.entries()) {
    if (typeof step.waits === 'number') await clock.sleep(step.waits, signal)
    else {
      await waitForMoment(step, i === 0)
      if (signal.aborted) return
      await act(step)
    }
    if (signal.aborted && !step.hangsUp) return
    onStep()
    if (typeof step.says === 'string' || step.presses) endedMs = clock.now()
  }
  if (!signal.aborted) await waitForMoment({}, steps.length === 0)
  line.leave()
}
