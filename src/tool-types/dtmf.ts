// Tool type dtmf: sends DTMF digits, for example to an IVR menu.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallAction } from '../voice/ports.ts'
import { onlyInCalls, parametersWith, refused } from './call-tool-schema.ts'
import type { Outcome, Run, ToolType } from './ports.ts'

type Digits = CallAction & { do: 'digits' }
type DtmfConfig = {
  mode?: Digits['mode'] | null
  toneMs?: number | null
  gapMs?: number | null
  initialDelayMs?: number | null
}

const MAX_DIGITS = 40
const SLACK_MS = 20_000
const DEFAULT_TONE_MS = 300

const digits = {
  type: 'string',
  pattern: `^[0-9*#A-Da-dwW]{1,${MAX_DIGITS}}$`,
  description: 'The keys to press: 0-9 * # A-D, and w for a pause of half a second',
}

export function dtmf(): ToolType {
  return {
    functions(tool) {
      const config = tool.config as DtmfConfig
      const each = (config.toneMs ?? DEFAULT_TONE_MS) + (config.gapMs ?? DEFAULT_TONE_MS)
      return [
        {
          name: tool.name,
          description: tool.description ?? 'Presses keys of the telephone, such as those that a menu asks for.',
          parameters: parametersWith(tool, { digits }, ['digits']),
          hasEffect: true,
          isRepeatable: false,
          timeoutMs: (config.initialDelayMs ?? 0) + MAX_DIGITS * each + SLACK_MS,
          run: (run, signal) => press(run, config, signal),
        },
      ]
    },
  }
}

async function press({ args, context }: Run, config: DtmfConfig, signal: AbortSignal): Promise<Outcome> {
  if (!context.call) return onlyInCalls
  const { mode, toneMs, gapMs, initialDelayMs } = config
  if (initialDelayMs) await sleep(initialDelayMs, undefined, { signal }).catch(() => {})
  if (signal.aborted) return refused('There was no time left to press the keys.')
  const action: Digits = {
    do: 'digits',
    digits: String(args.digits),
    ...(mode ? { mode } : {}),
    ...(toneMs ? { toneMs } : {}),
    ...(gapMs ? { gapMs } : {}),
  }
  const { status, detail } = await context.call.act(action)
  // The digits are not repeated: they may be a password.
  return status === 'done'
    ? { ok: true, text: 'The keys were pressed.' }
    : refused(`The keys were not pressed: ${detail ?? status}`)
}
