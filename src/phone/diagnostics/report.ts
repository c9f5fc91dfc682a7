// The report of a diagnosis: each check, the first cause, and one sentence with the fix. Pure.
import { drawLadder, type LadderEntry } from '../../sip/ladder.ts'

/** In the order in which they run and in which problems should be fixed. */
export const checkNames = [
  'set_up',
  'resolves',
  'reached',
  'registers',
  'authenticates',
  'public_address',
  'call',
  'codec',
  'audio',
  'digits',
  'hold',
  'session_timer',
] as const
export type CheckName = (typeof checkNames)[number]

export type Cause =
  | 'not_set_up'
  | 'switched_off'
  | 'send_password_again'
  | 'not_allowed'
  | 'bound_to_loopback'
  | 'unresolvable_name'
  | 'wrong_port'
  | 'dead_host'
  | 'answers_lost'
  | 'tls_certificate'
  | 'tls_handshake'
  | 'wrong_password'
  | 'unknown_user'
  | 'wrong_realm'
  | 'no_credentials'
  | 'unknown_challenge'
  | 'blocked_by_address'
  | 'registration_refused'
  | 'private_address'
  | 'refused_number'
  | 'call_refused'
  | 'no_answer'
  | 'no_common_codec'
  | 'encryption'
  | 'one_way_audio'
  | 'call_dropped'

export type Check = { name: CheckName; status: 'ok' | 'warning' | 'failed' | 'skipped'; detail: string }
export type Finding = Check & { cause?: Cause; sentence?: string }

export type Report = {
  trunkId: string
  ok: boolean
  cause: Cause | null
  sentence: string
  checks: Check[]
  entries: LadderEntry[]
  ladder: string
}

export const passed = (name: CheckName, detail: string): Finding => ({ name, status: 'ok', detail })
export const warning = (name: CheckName, detail: string): Finding => ({ name, status: 'warning', detail })
export const skipped = (name: CheckName, detail: string): Finding => ({ name, status: 'skipped', detail })
/** `sentence` states the cause and the fix; `detail` what was observed. */
export const failed = (name: CheckName, cause: Cause, detail: string, sentence: string): Finding => ({
  name,
  status: 'failed',
  detail,
  cause,
  sentence,
})

export function buildReport(
  trunk: { id: string; name: string },
  findings: readonly Finding[],
  entries: LadderEntry[],
): Report {
  const isOk = (wanted: CheckName) => findings.some(({ name, status }) => name === wanted && status === 'ok')
  const isHeard = isOk('audio')
  // A successful call or registration outweighs what OPTIONS or a Via suggested.
  const isDisproved = (name: CheckName) =>
    (name === 'public_address' && isHeard) || (name === 'authenticates' && (isHeard || isOk('registers')))
  const all = checkNames.flatMap((name): Finding[] => {
    const made = findings.filter((finding) => finding.name === name)
    if (made.length === 0) return [skipped(name, 'not tried: a step before it failed')]
    return made.map((finding) =>
      finding.status === 'failed' && isDisproved(name) ? { ...finding, status: 'warning' } : finding,
    )
  })
  const first = all.find(({ status }) => status === 'failed')
  return {
    trunkId: trunk.id,
    ok: first === undefined,
    cause: first?.cause ?? null,
    sentence: first?.sentence ?? praise(trunk.name, all, isHeard),
    checks: all.map(({ name, status, detail }) => ({ name, status, detail })),
    entries,
    ladder: drawLadder(entries),
  }
}

function praise(trunkName: string, all: readonly Finding[], isHeard: boolean): string {
  const isOk = (name: CheckName) => all.some((finding) => finding.name === name && finding.status === 'ok')
  const good = [
    'the peer answers',
    ...(isOk('registers') ? ['the registration is accepted'] : []),
    ...(isHeard ? ['a call brought our own audio back'] : []),
  ]
  const doubt = all.find(({ status }) => status === 'warning')?.detail
  const uncalled = all.find(({ name, status }) => name === 'call' && status === 'skipped')
  const list = good.length > 1 ? `${good.slice(0, -1).join(', ')} and ${good.at(-1)}` : good[0]
  const but = doubt ? `, but ${doubt}` : uncalled ? '; no call was placed (give an echo number to try one)' : ''
  return `The trunk ${trunkName} works: ${list}${but}.`
}
