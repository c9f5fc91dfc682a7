// Linphone's console client in tests, with the same interface as baresip: commands at its prompt, output lines as
// events.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../until.ts'
import { freeSipPort } from './ports.ts'
import { newFolder, startProgram } from './program.ts'
import { toneFile } from './spectrum.ts'

export type LinphoneOptions = {
  user?: string
  registrar?: { port: number; password: string; host?: string; transport?: 'udp' | 'tcp' }
  codecs?: readonly ('PCMU' | 'PCMA' | 'G722' | 'opus')[]
  /** Offers RTP/SAVP and accepts nothing else. */
  mediaenc?: 'srtp'
  answer?: 'auto' | 'manual'
  says?: { hz: number } | { wav: string }
  /** The URL from which it fetches its account at startup, as after scanning a QR code. */
  provisioning?: string
}

/** Linphone's output for each event: at the prompt or, for registrations, only in its log. */
const signs = {
  registered: /moving from state \[\w+\] to \[LinphoneRegistrationOk\]/g,
  'registration failed': /moving from state \[\w+\] to \[LinphoneRegistrationFailed\]/g,
  incoming: /Receiving new incoming call from .*/g,
  ringing: /Call \d+ to .* ringing/g,
  established: /Media streams established with .*/g,
  paused: /Call \d+ with .* is now paused/g,
  'held by the other': /Call \d+ has been paused by .*/g,
  ended: /Call \d+ with .* (?:ended|error).*/g,
} as const
export type LinphoneSign = keyof typeof signs

export type Linphone = Awaited<ReturnType<typeof startLinphone>>

export async function startLinphone(options: LinphoneOptions = {}) {
  const folder = newFolder('linphone')
  const port = await freeSipPort()
  const { user = 'linphone', registrar, says = { hz: 1000 }, answer = 'auto' } = options
  // Without this folder it opens no socket and reports no error.
  mkdirSync(join(folder, '.local/share/linphone'), { recursive: true })
  writeFileSync(join(folder, 'rc'), settings(user, port, options))
  const heard = join(folder, 'heard.wav')
  // Line-buffered: to a pipe it would otherwise write only in blocks of 4096 characters.
  const args = ['-oL', 'linphonec', '-c', 'rc', '-d', '5', '-l', 'log']
  const program = startProgram('stdbuf', args, { folder, env: { HOME: folder } })
  await until('linphonec takes commands', () => {
    if (!program.isRunning()) throw new Error(`linphonec has ended:\n${program.lastWords()}`)
    return program.output().includes('linphonec>')
  })
  // Commands sent before its configuration is loaded are lost.
  if (options.provisioning)
    await until('linphonec has fetched its configuration and registered', () =>
      new RegExp(signs.registered.source).test(readFileSync(join(folder, 'log'), 'utf8')),
    )
  program.write('soundcard use files')
  program.write(`play ${'wav' in says ? says.wav : toneFile(folder, says.hz)}`)
  program.write(`record ${heard}`)
  program.write(`autoanswer ${answer === 'auto' ? 'enable' : 'disable'}`)
  if (registrar) {
    const { host = '127.0.0.1', transport = 'udp', password } = registrar
    const at = `${host}:${registrar.port}`
    program.write(`register sip:${user}@${at} sip:${at};transport=${transport} ${password}`)
  }
  const readTo = new Map<LinphoneSign, number>()
  return {
    program,
    port,
    uri: `sip:${user}@127.0.0.1:${port}`,
    command: program.write,
    dial: (uri: string) => program.write(`call ${uri}`),
    accept: () => program.write('answer'),
    hangUp: () => program.write('terminate'),
    /** Takes one second per digit, during which Linphone does nothing else. */
    press: (digits: string) => program.write(digits),
    hold: () => program.write('pause'),
    resume: () => program.write('resume'),
    transfer: (uri: string) => program.write(`transfer ${uri}`),
    /** The next event of this type that has not been consumed yet. */
    async next(sign: LinphoneSign, withinMs = 20_000): Promise<string> {
      const look = () => {
        const text = signs[sign].source.startsWith('moving')
          ? readFileSync(join(folder, 'log'), 'utf8')
          : program.output()
        const found = [...text.matchAll(signs[sign])].find(({ index }) => index >= (readTo.get(sign) ?? 0))
        if (found) readTo.set(sign, found.index + found[0].length)
        return found?.[0]
      }
      try {
        return await until(`linphonec tells "${sign}"`, look, withinMs)
      } catch (error) {
        throw new Error(`${(error as Error).message}; it wrote:\n${program.lastWords()}`)
      }
    },
    digits: () => [...program.output().matchAll(/Receiving tone (.) from/g)].map(([, digit]) => digit).join(''),
    /**
     * Packets that never came, judged by sequence numbers. Linphone reports them when its audio stops, on hold and at
     * the end; undefined until then.
     */
    lost(): number | undefined {
      const told = readFileSync(join(folder, 'log'), 'utf8').matchAll(/incoming cumulative lost +(\d+)/g)
      const counts = [...told].map(([, count]) => Number(count))
      return counts.length > 0 ? counts.reduce((sum, count) => sum + count) : undefined
    },
    /** Path of the received WAV. */
    heard: () => heard,
    stop: () => program.stop(() => program.write('quit')),
  }
}

/** All of Linphone's codecs in order: any not listed here would be enabled. */
const known = [
  'opus/48000/2',
  'speex/16000',
  'speex/8000',
  'PCMU/8000',
  'PCMA/8000',
  'GSM/8000',
  'G722/8000',
  'G729/8000',
  'speex/32000',
]

function settings(
  user: string,
  port: number,
  { codecs = ['PCMU', 'PCMA'], mediaenc, registrar, provisioning }: LinphoneOptions,
): string {
  const wanted = codecs.flatMap((codec) => known.filter((name) => name.startsWith(`${codec}/`)))
  const inOrder = [...wanted, ...known.filter((name) => !wanted.includes(name))]
  const sections: Record<string, readonly string[]> = {
    sip: [
      `sip_port=${port}`,
      `sip_tcp_port=${registrar?.transport === 'tcp' ? port : 0}`,
      'sip_tls_port=0',
      'bind_address=127.0.0.1',
      'guess_hostname=0',
      `contact=<sip:${user}@127.0.0.1>`,
      // Both are needed: with the first alone Linphone treats it as a legacy setting and uses IPv6 for audio.
      'use_ipv6=0',
      'ipv6_migration_done=1',
      ...(mediaenc ? [`media_encryption=${mediaenc}`, 'media_encryption_mandatory=1'] : []),
    ],
    rtp: ['audio_rtp_port=-1'],
    net: ['firewall_policy=0', 'dns_srv_enabled=0'],
    sound: ['echocancellation=0'],
    ...(provisioning ? { misc: [`config-uri=${provisioning}`] } : {}),
    video: ['enabled=0'],
    ...Object.fromEntries(
      inOrder.map((name, i) => {
        const [mime, rate, channels = '1'] = name.split('/')
        const enabled = wanted.includes(name) ? 1 : 0
        return [`audio_codec_${i}`, [`mime=${mime}`, `rate=${rate}`, `channels=${channels}`, `enabled=${enabled}`]]
      }),
    ),
  }
  return Object.entries(sections)
    .map(([name, lines]) => [`[${name}]`, ...lines, ''].join('\n'))
    .join('\n')
}
