// Trunk diagnosis (the "doctor"): runs all checks within 20 seconds, and reports the cause and the fix.
import { isIP } from 'node:net'
import { appError, notFound } from '../../base/errors/errors.ts'
import type { DialPolicy } from '../dial-policy.ts'
import { trunkKey } from '../directory.ts'
import type { Trunk } from '../ports.ts'
import { SEND_PASSWORD_AGAIN } from '../route.ts'
import { checkOptionsAuthentication, checkRegistration } from './authentication.ts'
import { type Diagnosis, type DiagnosticPhone, timeBudget } from './diagnosis.ts'
import { dialStringFor, echoCall } from './echo-call.ts'
import type { MessageCapture, MessageCaptures } from './message-capture.ts'
import { checkPublicAddress, reflexiveAddress } from './public-address.ts'
import { checkListener, checkReachability, checkResolution, optionsIgnored } from './reachability.ts'
import { buildReport, type CheckName, type Finding, failed, passed, type Report, skipped } from './report.ts'

const TOTAL_MS = 20_000
const inCall: readonly CheckName[] = ['call', 'codec', 'audio', 'digits', 'hold', 'session_timer']

export type DiagnosisOptions = {
  /** An echo service at the carrier. */
  echoNumber?: string | null | undefined
}
export type Diagnose = (userId: string, trunkId: string, options?: DiagnosisOptions) => Promise<Report>

export type DiagnosticsParts = {
  phone: DiagnosticPhone
  captures: MessageCaptures
  trunkOf: (userId: string, trunkId: string) => Promise<Trunk | undefined>
  dialPolicy: DialPolicy
}

export function createDiagnostics({ phone, captures, trunkOf, dialPolicy }: DiagnosticsParts): Diagnose {
  const underWay = new Set<string>()

  return async (userId, trunkId, { echoNumber } = {}) => {
    const trunk = await trunkOf(userId, trunkId)
    if (!trunk) throw notFound('Trunk')
    if (echoNumber && !dialPolicy.allowsAs(echoNumber, dialStringFor({ trunk }, echoNumber)))
      throw appError('call_number_forbidden')
    const key = trunkKey(trunk)
    if (underWay.has(key)) throw appError('trunk_being_diagnosed')
    underWay.add(key)
    const capture = captures.begin()
    try {
      const findings = await examine(phone, trunk, capture, echoNumber ?? null)
      return buildReport(trunk, findings, capture.entries())
    } finally {
      capture.end()
      underWay.delete(key)
    }
  }
}

async function examine(
  phone: DiagnosticPhone,
  trunk: Trunk,
  capture: MessageCapture,
  echoNumber: string | null,
): Promise<Finding[]> {
  const { host } = trunk
  if (!host)
    return [failed('set_up', 'not_set_up', 'it has no host', `The trunk ${trunk.name} is not set up: give it a host.`)]
  const findings: Finding[] = [setUp(trunk)]
  if (trunk.isPasswordBound === false) return [passwordElsewhere(trunk)]
  const { hops, finding } = await checkResolution(trunk, host, phone)
  findings.push(finding)
  const [hop] = hops
  if (!hop) return findings
  const bound = checkListener(phone.settings, hops)
  if (bound) return [...findings, bound]

  const diagnosis: Diagnosis = {
    phone,
    trunk,
    host,
    hops,
    capture,
    signal: AbortSignal.timeout(TOTAL_MS),
    remainingMs: timeBudget(TOTAL_MS),
  }
  const { outcome, callId, finding: reached } = await checkReachability(diagnosis)
  // Some hosts ignore OPTIONS: then registration and call decide. Any other failure ends the diagnosis.
  const isSilent = reached.cause === 'dead_host'
  if (reached.status === 'failed' && (!isSilent || (trunk.authMode !== 'register' && echoNumber === null)))
    return [...findings, reached]
  const registers = await checkRegistration(diagnosis)
  if (isSilent && registers.cause === 'dead_host') return [...findings, reached]
  const told = phone.settings.publicAddress ?? phone.ua.stack.contactOf(hop).host
  const call = await tryCall(diagnosis, echoNumber, registers)
  const wasHeard = capture.messages.some(({ direction }) => direction === 'in')
  if (isSilent && !wasHeard) return [...findings, reached]
  const responses = capture.messages.flatMap(({ direction, message }) =>
    direction === 'in' && message.kind === 'response' ? [message] : [],
  )
  return [
    ...findings,
    isSilent ? optionsIgnored() : reached,
    registers,
    checkOptionsAuthentication(diagnosis, outcome, callId),
    checkPublicAddress(reflexiveAddress(responses), told, await addressesOf(phone, told)),
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
  if (trunk.isActive) return passed('set_up', detail)
  return failed(
    'set_up',
    'switched_off',
    'it is switched off',
    `The trunk ${trunk.name} is switched off: set isActive.`,
  )
}

async function tryCall(diagnosis: Diagnosis, number: string | null, registers: Finding): Promise<Finding[]> {
  const why = number === null ? 'no echo number was given' : 'the registration failed'
  if (number === null || registers.status === 'failed') return inCall.map((name) => skipped(name, why))
  return echoCall(diagnosis, number)
}

async function addressesOf({ resolver }: DiagnosticPhone, told: string): Promise<string[]> {
  if (isIP(told)) return [told]
  return (await resolver.resolve({ host: told, port: 5060 })).map(({ address }) => address)
}
