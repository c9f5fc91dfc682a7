// The scripted caller: does one step after the other, each when its moment has come.
import type { Clock } from '../voice/ports.ts'
import type { CallerSound } from './caller-audio.ts'
import type { Step } from './script.ts'
import type { ScriptedLine } from './scripted-transport.ts'

export type Scene = {
  clock: Clock
  line: ScriptedLine
  sound: CallerSound
  /** The agent has said what it had to say and waits for the caller. */
  isListening(): boolean
  /** False: the agent waits for the caller's first words. */
  agentOpens: boolean
}

/** What the caller did, and when. */
export type Doing = { fromMs: number; toMs: number }

const LOOK_MS = 20
/** People begin to speak so long after the other has ended. */
const USUAL_GAP_MS = 300
const KEY_MS = 200
/** A caller who hears nothing for so long speaks again. */
const PATIENCE_MS = 30_000

/** Resolves when the script is over and the caller has left, or has been left. `onStep` is told of every step that was done. */
export async function followScript(
  steps: readonly Step[],
  scene: Scene,
  doings: Doing[],
  onStep: () => void,
): Promise<void> {
  const { clock, line, sound } = scene
  const { signal } = line
  let endedMs = 0

  async function until(isSo: () => boolean): Promise<void> {
    const limitMs = clock.now() + PATIENCE_MS
    while (!isSo() && clock.now() < limitMs && !signal.aborted) await clock.sleep(LOOK_MS, signal)
  }
  const isSilent = () => !line.isSounding && scene.isListening()
  const answer = () => line.heard.find(({ to }) => to > endedMs)

  async function moment({ afterMs, interruptsAfterMs }: Step, isFirst: boolean): Promise<void> {
    if (typeof afterMs === 'number') return clock.sleep(afterMs, signal)
    if (typeof interruptsAfterMs === 'number') {
      await until(() => {
        const heard = answer()
        return heard !== undefined && (clock.now() - Math.max(heard.from, endedMs) >= interruptsAfterMs || isSilent())
      })
      return
    }
    if (isFirst && !scene.agentOpens) return
    await until(() => answer() !== undefined && isSilent())
    await clock.sleep(USUAL_GAP_MS, signal)
  }

  async function lasts(ms: number): Promise<void> {
    const fromMs = clock.now()
    doings.push({ fromMs, toMs: fromMs + ms })
    await clock.sleep(ms, signal)
  }

  async function act(step: Step): Promise<void> {
    if (step.hangsUp) return line.leave()
    if (typeof step.says === 'string')
      return lasts(sound.speak({ text: step.says, ms: step.ms ?? null, pcm: step.pcm }))
    // Nobody answers a noise, and it is no part of what he said.
    if (typeof step.noise === 'number') return clock.sleep(sound.noise(step.noise), signal)
    for (const key of step.presses ?? '') {
      line.press(key)
      await lasts(KEY_MS)
    }
  }

  for (const [i, step] of steps.entries()) {
    if (typeof step.waits === 'number') await clock.sleep(step.waits, signal)
    else {
      await moment(step, i === 0)
      if (signal.aborted) return
      await act(step)
    }
    if (signal.aborted && !step.hangsUp) return
    onStep()
    if (typeof step.says === 'string' || step.presses) endedMs = clock.now()
  }
  if (!signal.aborted) await moment({}, steps.length === 0)
  line.leave()
}
