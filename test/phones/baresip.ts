// baresip as a phone in tests: registers, calls, answers, sends DTMF, holds, transfers, and records what it receives.
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../servers.ts'
import { until } from '../until.ts'
import { freeSipPort } from './ports.ts'
import { newFolder, type Program, startProgram } from './program.ts'
import { toneFile } from './spectrum.ts'

export type BaresipOptions = {
  user?: string
  /** The phone's own address. */
  address?: '127.0.0.1' | '::1'
  /** The registrar; without one the phone is called at its own port and can call any address. */
  registrar?: { port: number; password: string; host?: string; transport?: 'udp' | 'tcp' | 'tls'; authUser?: string }
  codecs?: readonly ('pcmu' | 'pcma' | 'g722' | 'opus')[]
  /** srtp: offered alongside plain audio; srtp-mand: RTP/SAVP only. */
  mediaenc?: 'srtp' | 'srtp-mand'
  answer?: 'auto' | 'manual'
  /**
   * What it plays: a tone, a WAV (longer than the call, because its end hangs up), or, until the first re-INVITE, an
   * echo.
   */
  says?: { hz: number } | { wav: string } | 'echo'
  /** Sample rate of playback and recording. */
  rateHz?: 8000 | 16_000 | 48_000
  digits?: 'rtpevent' | 'info'
  /** Extra account parameters ("regq=0.5") and config lines. */
  parameters?: readonly string[]
  config?: readonly string[]
  /** A complete account line that replaces the generated one. */
  account?: string
}

/**
 * Event types of ctrl_tcp: REGISTER_OK, REGISTER_FAIL, CALL_INCOMING, CALL_RINGING, CALL_ESTABLISHED, CALL_CLOSED,
 * CALL_DTMF_START, TRANSFER, TRANSFER_FAILED …
 */
export type BaresipEvent = { type: string; param?: string; direction?: string; peeruri?: string; id?: string }

export type Baresip = Awaited<ReturnType<typeof startBaresip>>

export async function startBaresip(options: BaresipOptions = {}) {
  const folder = newFolder('baresip')
  const [port, controlPort] = [await freeSipPort(), await freePort()]
  writeFileSync(join(folder, 'config'), configText(folder, port, controlPort, options))
  // The account is added later over the control connection: otherwise it could register before anyone listens for
  // events.
  writeFileSync(join(folder, 'accounts'), '')
  writeFileSync(join(folder, 'contacts'), '')
  mkdirSync(join(folder, 'heard'))
  const program = startProgram('baresip', ['-f', folder], { folder })
  const events: BaresipEvent[] = []
  const control = await openControl(program, controlPort, (event) => events.push(event))
  const { user = 'baresip' } = options
  await control.command('uanew', options.account ?? accountLine(user, port, options))
  const consumed = new Set<BaresipEvent>()
  return {
    program,
    port,
    uri: `sip:${user}@${hostOf(options)}:${port}`,
    events,
    command: control.command,
    dial: (uri: string) => control.command('dial', uri),
    accept: () => control.command('accept'),
    hangUp: () => control.command('hangup'),
    press: (digits: string) => control.command('sndcode', digits),
    hold: () => control.command('hold'),
    resume: () => control.command('resume'),
    transfer: (uri: string) => control.command('transfer', uri),
    calls: () => control.command('listcalls'),
    registration: () => control.command('reginfo'),
    /** The next event of this type that has not been consumed yet. */
    async next(type: string, withinMs = 20_000): Promise<BaresipEvent> {
      const look = () => events.find((event) => event.type === type && !consumed.has(event))
      try {
        const event = await until(`baresip tells ${type}`, look, withinMs)
        consumed.add(event)
        return event
      } catch (error) {
        throw new Error(`${(error as Error).message}; it told ${told(events)} and wrote:\n${program.lastWords()}`)
      }
    },
    /** The DTMF digits received, by RFC 4733 or INFO. */
    digits: () => events.flatMap(({ type, param }) => (type === 'CALL_DTMF_START' ? [param ?? ''] : [])).join(''),
    /**
     * Path of the WAV received in the last call, up to the first re-INVITE (baresip's recorder stops there; Linphone's
     * continues).
     */
    heard(): string {
      const files = globSync(join(folder, 'heard', '*-dec.wav')).sort(
        (a, b) => statSync(a).ctimeMs - statSync(b).ctimeMs,
      )
      return files.at(-1) ?? join(folder, 'heard', 'nothing')
    },
    async stop(): Promise<void> {
      await program.stop(() => control.send('quit'))
      control.close()
    },
  }
}

const hostOf = ({ address = '127.0.0.1' }: BaresipOptions) => (address === '::1' ? '[::1]' : address)

const told = (events: readonly BaresipEvent[]) =>
  events.map(({ type, param }) => `${type} ${param ?? ''}`.trim()).join(', ')

/** Without rate and channels baresip looks for 8000/1, and if it finds none accepts every codec. */
const forms = { pcmu: 'pcmu/8000/1', pcma: 'pcma/8000/1', g722: 'g722/16000/1', opus: 'opus/48000/2' } as const

function accountLine(user: string, ownPort: number, options: BaresipOptions): string {
  const { registrar, codecs = ['pcmu', 'pcma'] } = options
  const { host = hostOf(options), port = ownPort, transport = 'udp', authUser = user, password = '' } = registrar ?? {}
  const parameters = [
    ...(registrar ? [`auth_user=${authUser}`, `auth_pass=${password}`, 'regint=120'] : ['regint=0']),
    `answermode=${options.answer ?? 'auto'}`,
    `audio_codecs=${codecs.map((codec) => forms[codec]).join(',')}`,
    ...(options.mediaenc ? [`mediaenc=${options.mediaenc}`] : []),
    ...(options.digits ? [`dtmfmode=${options.digits}`] : []),
    ...(options.parameters ?? []),
  ]
  return `<sip:${user}@${host}:${port};transport=${transport}>;${parameters.join(';')}`
}

function configText(folder: string, port: number, controlPort: number, options: BaresipOptions): string {
  const { says = { hz: 1000 }, rateHz = 8000, address = '127.0.0.1' } = options
  const source =
    says === 'echo' ? 'aubridge,echo' : `aufile,${'wav' in says ? says.wav : toneFile(folder, says.hz, rateHz)}`
  return [
    'module_path /usr/lib/baresip/modules',
    'poll_method epoll',
    `sip_listen ${hostOf(options)}:${port}`,
    // An interface name ("lo") does not work here; the address does.
    `net_interface ${address}`,
    `audio_source ${source}`,
    // aufile cannot play back; aubridge accepts all audio and is silent on its own.
    `audio_player aubridge,${says === 'echo' ? 'echo' : 'sink'}`,
    'audio_alert aubridge,alert',
    ...['ausrc_srate', 'auplay_srate'].map((name) => `${name} ${rateHz}`),
    ...['ausrc_channels', 'auplay_channels'].map((name) => `${name} 1`),
    // Above Ramal's default ports and below the ephemeral range; baresip tries others if one is in use.
    'rtp_ports 21000-29998',
    // No jitter buffer: keeps each packet as it came, even when it reads many at once.
    'jitter_buffer_delay 0-0',
    `snd_path ${join(folder, 'heard')}`,
    // No stdio.so: without a terminal it terminates baresip.
    ...['g711', 'g722', 'opus', 'srtp', 'aufile', 'aubridge', 'sndfile'].map((name) => `module ${name}.so`),
    'module_tmp account.so',
    'module_app menu.so',
    'module ctrl_tcp.so',
    `ctrl_tcp_listen 127.0.0.1:${controlPort}`,
    ...(options.config ?? []),
    '',
  ].join('\n')
}

type Answer = { response: true; ok: boolean; data: string; token: string }

/** ctrl_tcp: JSON in netstrings; responses are matched by token, with events in between. */
async function openControl(program: Program, port: number, onEvent: (event: BaresipEvent) => void) {
  const socket = await until('baresip takes the control connection', () => {
    if (!program.isRunning()) throw new Error(`baresip has ended:\n${program.lastWords()}`)
    return connected(port)
  })
  const waiting = new Map<string, (answer: Answer) => void>()
  let unread = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    unread = Buffer.concat([unread, chunk])
    for (;;) {
      const colon = unread.indexOf(':')
      const end = colon + 1 + Number(unread.toString('latin1', 0, Math.max(0, colon)))
      if (colon < 0 || unread.length <= end) return
      const message: Answer | BaresipEvent = JSON.parse(unread.toString('utf8', colon + 1, end))
      unread = unread.subarray(end + 1)
      if ('type' in message) onEvent(message)
      else waiting.get(message.token)?.(message)
    }
  })
  let count = 0
  const send = (command: string, params = ''): string => {
    const token = String(++count)
    const text = JSON.stringify({ command, params, token })
    socket.write(`${Buffer.byteLength(text)}:${text},`)
    return token
  }
  return {
    send,
    close: () => socket.destroy(),
    async command(command: string, params = ''): Promise<string> {
      let answer: Answer | undefined
      const token = send(command, params)
      waiting.set(token, (it) => {
        answer = it
      })
      const { ok, data } = await until(`baresip answers ${command}`, () => answer)
      waiting.delete(token)
      if (!ok) throw new Error(`baresip refuses ${command} ${params}: ${data}\n${program.lastWords()}`)
      return data
    },
  }
}

const connected = (port: number): Promise<Socket | false> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket))
    socket.once('error', () => resolve(false))
  })
