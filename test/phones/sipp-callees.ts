// Many callees behind one sipp: the last digit of the number decides what happens when it is called. Each INVITE is
// logged with its number.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeUlaw } from '../../src/audio/g711.ts'
import { joinPcm } from '../../src/audio/pcm.ts'
import { robotSpeech } from '../sounds.ts'
import { startSipp } from './sipp.ts'
import { awaitRequest, calleeBye, pause, response, scenario, sdp, send } from './sipp-scenarios.ts'
import { tone } from './spectrum.ts'

export type CalleeKind =
  | 'answered' // for one second
  | 'busy'
  | 'silent' // rings without an answer
  | 'voicemail'
  | 'dropped' // answered and hung up at once
  | 'unreachable'
  | 'rejected'
  | 'failing' // a fault of the carrier

/** Kind by last digit. Silent and voicemail are rarer because they take up to 45 s. */
const byDigit: readonly CalleeKind[] = [
  ...(['answered', 'busy', 'silent', 'voicemail', 'dropped'] as const),
  ...(['unreachable', 'rejected', 'answered', 'dropped', 'busy'] as const),
]
export const kindOf = (number: string): CalleeKind => byDigit[Number(number.at(-1))] ?? 'busy'
const allAre = (kind: CalleeKind): CalleeKind[] => byDigit.map(() => kind)

const RATE_HZ = 8000
const GREETING =
  'Você ligou para o João Carlos e eu não posso falar agora mas ligue de novo amanhã ou deixe seu recado aqui'
/** A caller whose process died never ends the call: sipp drops it after this time. */
const FORGOTTEN_MS = 100_000

const label = (id: string) => `<label id="${id}"/>`
const go = (id: string) => `<nop next="${id}"/>`
const goIf = (variable: string, id: string) => `<nop test="${variable}" next="${id}"/>`
const from = (status: string) => response(status).map((line) => line.replace('[service]', 'callee'))
const forgets = `timeout="${FORGOTTEN_MS}" ontimeout="end"`
const inDialog = (status: string) => from(status).map((line) => line.replace(/;tag=.*/, ''))
const refuses = (status: string) => [send(from(status)), awaitRequest('ACK', forgets), go('end')]
const answers = [send(from('200 OK'), sdp()), awaitRequest('ACK', forgets)]
const hangsUp = [send(calleeBye), `<recv response="200" ${forgets}/>`, go('end')]

const toVoicemail = '<nop><action><exec rtp_stream="voicemail.ulaw,1,0"/></action></nop>'
const steps: Readonly<Record<CalleeKind, readonly string[]>> = {
  busy: refuses('486 Busy Here'),
  unreachable: refuses('480 Temporarily Unavailable'),
  rejected: refuses('603 Decline'),
  failing: refuses('500 Server Internal Error'),
  answered: [send(from('180 Ringing'), [], ''), pause(300), ...answers, pause(900), ...hangsUp],
  dropped: [...answers, ...hangsUp],
  voicemail: [...answers, toVoicemail, awaitRequest('BYE', forgets), send(inDialog('200 OK'), [], ''), go('end')],
  silent: [
    ...[send(from('180 Ringing'), [], ''), awaitRequest('CANCEL', forgets), send(inDialog('200 OK'), [], '')],
    send(from('487 Request Terminated').map((line) => line.replace('[last_CSeq:]', 'CSeq:[$cseq]'))),
    ...[awaitRequest('ACK', forgets), go('end')],
  ],
}

function people(kinds: readonly CalleeKind[]): string {
  const header = (name: string, variable: string) =>
    `<ereg regexp=".*" search_in="hdr" header="${name}:" assign_to="${variable}"/>`
  const used = [...new Set(kinds)]
  const digitsOf = (kind: CalleeKind) => kinds.flatMap((each, digit) => (each === kind ? [digit] : [])).join('')
  const is = (kind: CalleeKind) =>
    `<ereg regexp="[${digitsOf(kind)}]$" search_in="var" variable="number" assign_to="${kind}"/>`
  const invited = [
    '<recv request="INVITE" rrs="true"><action>',
    ...[header('From', 'from'), header('To', 'to'), header('CSeq', 'cseq')],
    '<ereg regexp="sip:[+]?([0-9]+)@" search_in="hdr" header="To:" check_it="true" assign_to="uri,number"/>',
    '<log message="INVITE [$number] [call_id]"/>',
    ...used.map(is),
    '</action></recv>',
    '<Reference variables="uri,from,to,cseq"/>',
  ].join('\n')
  return scenario(
    'people',
    invited,
    ...used.map((kind) => goIf(kind, kind)),
    ...used.flatMap((kind) => [label(kind), ...steps[kind]]),
    label('end'),
  )
}

async function voicemail(): Promise<Uint8Array> {
  const quiet = (seconds: number) => new Int16Array(RATE_HZ * seconds)
  const greeting = await robotSpeech(GREETING, 'pt-br', RATE_HZ)
  return encodeUlaw(joinPcm([quiet(0.3), greeting, quiet(0.6), tone(1000, 0.4, RATE_HZ).pcm, quiet(40)]))
}

/** Waits for calls until stopped. `all`: all callees behave like this, whatever their number. */
export async function startPeople({ withinMs, all }: { withinMs: number; all?: CalleeKind }) {
  const sipp = await startSipp({
    scenario: people(all ? allAre(all) : byDigit),
    calls: 1_000_000,
    withinMs,
    files: { 'voicemail.ulaw': await voicemail() },
    args: ['-trace_logs', '-log_file', 'invites.log', '-aa'],
  })
  return {
    ...sipp,
    /** The Call-IDs of the calls to each number so far. */
    called(): Map<string, Set<string>> {
      const path = join(sipp.folder, 'invites.log')
      const found = new Map<string, Set<string>>()
      for (const line of existsSync(path) ? readFileSync(path, 'latin1').split('\n') : []) {
        const [, digits, callId] = /INVITE (\d+) (\S+)$/.exec(line) ?? []
        if (!digits || !callId) continue
        const number = `+${digits}`
        found.set(number, (found.get(number) ?? new Set()).add(callId))
      }
      return found
    },
  }
}
