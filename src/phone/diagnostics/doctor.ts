// The SIP doctor: examines one trunk for real, step by step, within 20 seconds, and says what is wrong and how to cure it.
import { isIP } from 'node:net'
import type { DialPolicy } from '../../base/dial-policy.ts'
import { AppError, notFound } from '../../base/errors.ts'
import { trunkKey } from '../directory.ts'
import { SEND_PASSWORD_AGAIN } from '../outbound-routing.ts'
import type { Trunk } from '../ports.ts'
import { judgeAddress, seenAs } from './address.ts'
import { dialled, echoCall } from './call.ts'
import { type DoctorLine, type Exam, timeLeft } from './exam.ts'
import { judgeOptions, register } from './proof.ts'
import { judgeListener, reach, resolveTrunk, silentOnOptions } from './reach.ts'
import { type CheckName, type Finding, failed, fine, type Report, reportOf, skipped } from './report.ts'
import type { Watch, Watches } from './watch.ts'

const TOTAL_MS = 20_000
const inCall: readonly CheckName[] = ['call', 'codec', 'audio', 'digits', 'hold', 'session_timer']

export type ExamOptions = {
  /** A number at the far side that sends back what it hears. */
  echoNumber?: string | null | undefined
}
export type Examine = (userId: string, trunkId: string, options?: ExamOptions) => Promise<Report>

export type DoctorParts = {
  line: DoctorLine
  watches: Watches
  trunkOf: (userId: string, trunkId: string) => Promise<Trunk | undefined>
  dialPolicy: DialPolicy
}

export function createDoctor({ line, watches, trunkOf, dialPolicy }: DoctorParts): Examine {
  const underWay = new Set<string>()

  return async (userId, trunkId, { echoNumber } = {}) => {
    const trunk = await trunkOf(userId, trunkId)
    if (!trunk) throw notFound('Trunk')
    if (echoNumber && !dialPolicy.allowsAs(echoNumber, dialled({ trunk }, echoNumber)))
      throw new AppError('forbidden', 'Calls to this number are not allowed')
    const key = trunkKey(trunk)
    if (underWay.has(key)) throw new AppError('conflict', 'This trunk is being examined already')
    underWay.add(key)
    const watch = watches.begin()
    try {
      const findings = await examine(line, trunk, watch, echoNumber ?? null)
      return reportOf(trunk, findings, watch.entries())
    } finally {
      watch.end()
      underWay.delete(key)
    }
  }
}

async function examine(line: DoctorLine, trunk: Trunk, watch: Watch, echoNumber: string | null): Promise<Finding[]> {
  const { host } = trunk
  if (!host)
    return [failed('set_up', 'not_set_up', 'it has no host', `The trunk ${trunk.name} is not set up: give it a host.`)]
  const findings: Finding[] = [setUp(trunk)]
  if (trunk.isPasswordBound === false) return [passwordElsewhere(trunk)]
  const { hops, finding } = await resolveTrunk(trunk, host, line)
  findings.push(finding)
  const [hop] = hops
  if (!hop) return findings
  const bound = judgeListener(line.settings, hops)
  if (bound) return [...findings, bound]

  const exam: Exam = {
    line,
    trunk,
    host,
    hops,
    watch,
    signal: AbortSignal.timeout(TOTAL_MS),
    leftMs: timeLeft(TOTAL_MS),
  }
  const { outcome, callId, finding: reached } = await reach(exam)
  // Some never answer OPTIONS: what else the trunk does decides. Any other trouble is the end.
  const isSilent = reached.cause === 'dead_host'
  if (reached.status === 'failed' && (!isSilent || (trunk.authMode !== 'register' && echoNumber === null)))
    return [...findings, reached]
  const registers = await register(exam)
  if (isSilent && registers.cause === 'dead_host') return [...findings, reached]
  const told = line.settings.publicAddress ?? line.ua.stack.contactOf(hop).host
  const call = await tryCall(exam, echoNumber, registers)
  const wasHeard = watch.seen.some(({ direction }) => direction === 'in')
  if (isSilent && !wasHeard) return [...findings, reached]
  const responses = watch.seen.flatMap(({ direction, message }) =>
    direction === 'in' && message.kind === 'response' ? [message] : [],
  )
  return [
    ...findings,
    isSilent ? silentOnOptions() : reached,
    registers,
    judgeOptions(exam, outcome, callId),
    judgeAddress(seenAs(responses), told, await addressesOf(line, told)),
    ...call,
  ]
}

const passwordElsewhere = (trunk: Trunk): Finding =>
  failed(
    'set_up',
    'send_password_again',
    `it ${SEND_PASSWORD_AGAIN}`,
    `The host, port, proxy or transport of the trunk ${trunk.name} was changed without its password, which is not sent to another server: send the password again.`,
  )

function setUp(trunk: Trunk): Finding {
  const { host, port, transport, authMode } = trunk
  const detail = `${host}${port === null ? '' : ` port ${port}`}, ${transport}, authMode ${authMode}`
  if (trunk.isActive) return fine('set_up', detail)
  return failed(
    'set_up',
    'switched_off',
    'it is switched off',
    `The trunk ${trunk.name} is switched off: set isActive.`,
  )
}

async function tryCall(exam: Exam, number: string | null, registers: Finding): Promise<Finding[]> {
  const why = number === null ? 'no echo number was given' : 'the registration failed'
  if (number === null || registers.status === 'failed') return inCall.map((name) => skipped(name, why))
  return echoCall(exam, number)
}

async function addressesOf({ resolver }: DoctorLine, told: string): Promise<string[]> {
  if (isIP(told)) return [told]
  return (await resolver.resolve({ host: told, port: 5060 })).map(({ address }) => address)
}
