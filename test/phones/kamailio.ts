// Kamailio in tests: as a load balancer in front of nodes, and as a carrier.
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../until.ts'
import { freeSipPort, isListening } from './ports.ts'
import { newFolder, startProgram } from './program.ts'

const modules = (...names: readonly string[]) => names.map((name) => `loadmodule "${name}.so"`)
const parameter = (module: string, name: string, value: string | number) =>
  `modparam("${module}", "${name}", ${typeof value === 'number' ? value : `"${value}"`})`
const listen = (port: number) => [`listen=udp:127.0.0.1:${port}`, `listen=tcp:127.0.0.1:${port}`]

/** Common proxy logic; in-dialog requests follow their route set. */
const inDialog = `
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (!sanity_check("17895", "7")) exit;
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) { if (!t_relay()) sl_reply_error(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) t_relay(); exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  t_check_trans();`

const common = modules('kex', 'corex', 'tm', 'tmx', 'sl', 'rr', 'pv', 'maxfwd', 'textops', 'siputils', 'sanity', 'xlog')

async function startKamailio(ports: readonly number[], lines: readonly string[]) {
  const folder = newFolder('kamailio')
  const config = ['#!KAMAILIO', 'log_stderror=yes', 'children=2', 'auto_aliases=no', ...ports.flatMap(listen), ...lines]
  writeFileSync(join(folder, 'kamailio.cfg'), `${config.join('\n').replaceAll('{folder}', folder)}\n`)
  return runKamailio(folder, ports, ['-f', 'kamailio.cfg'])
}

async function runKamailio(folder: string, ports: readonly number[], config: readonly string[]) {
  const args = [...config, '-P', join(folder, 'pid'), '-Y', folder, '-m', '64', '-M', '8', '-DD', '-E']
  // SIGKILL to the main process would leave its children running.
  const program = startProgram('kamailio', args, { folder, whenOrphaned: 'TERM' })
  await until('kamailio listens', () => {
    if (!program.isRunning()) throw new Error(`kamailio has ended:\n${program.lastWords()}`)
    return ports.every((port) => isListening(port, 'udp') && isListening(port, 'tcp'))
  })
  return program
}

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

const shipped = join(import.meta.dirname, '../../deploy/kamailio')

export type BalancerOptions = {
  /** The SIP ports of the nodes at 127.0.0.1, or their URIs. */
  nodes: readonly (number | string)[]
  port?: number
  /** Requests allowed per address within two seconds. */
  floodRequests?: number
  /** An additional address to listen on, at the same port. */
  beside?: '[::1]'
  /** PEM; also listens for TLS on `tlsPort`. */
  tls?: { cert: string; key: string }
}

/** Writes the shipped tls.cfg with this certificate, which is also the only one that carriers may present. */
function writeTls(folder: string, { cert, key }: { cert: string; key: string }): string {
  writeFileSync(join(folder, 'sip.crt'), cert)
  writeFileSync(join(folder, 'sip.key'), key)
  const text = readFileSync(join(shipped, 'tls.cfg'), 'utf8')
  const file = join(folder, 'tls.cfg')
  writeFileSync(file, text.replaceAll('/etc/tls', folder).replace('/etc/ssl/certs', folder))
  execFileSync('openssl', ['rehash', folder], { stdio: 'ignore' })
  return file
}

/**
 * The proxy of deploy/kamailio at 127.0.0.1. It treats anything from a node's address as coming from that node, so
 * callers, phones and carriers need other loopback addresses.
 */
export async function startBalancer({ nodes, port: asked, floodRequests = 10_000, beside, tls }: BalancerOptions) {
  const port = asked ?? (await freeSipPort())
  // freeSipPort guarantees that the next port is free as well.
  const tlsPort = port + 1
  const folder = newFolder('balancer')
  const uri = (node: number | string) => (typeof node === 'number' ? `sip:127.0.0.1:${node}` : node)
  const list = nodes.map((node, i) => `1 ${uri(node)} 0 0 duid=n${i + 1}\n`).join('')
  writeFileSync(join(folder, 'dispatcher.list'), list)
  const defines = { NODES_FILE: `"${folder}/dispatcher.list"`, PROBE_SECONDS: 1, FLOOD_REQUESTS: floodRequests }
  const hosts = ['127.0.0.1', ...(beside ? [beside] : [])]
  const listeners = hosts.flatMap((host) => [
    ...[`udp:${host}:${port}`, `tcp:${host}:${port}`],
    ...(tls ? [`tls:${host}:${tlsPort}`] : []),
  ])
  const args = [
    ...['-f', join(shipped, 'kamailio.cfg'), '-n', '2', ...listeners.flatMap((listener) => ['-l', listener])],
    ...Object.entries(defines).flatMap(([name, value]) => ['-A', `${name}=${value}`]),
    ...(tls ? ['-A', 'WITH_TLS', '-A', `TLS_FILE="${writeTls(folder, tls)}"`] : []),
  ]
  const program = await runKamailio(folder, [port], args)
  if (tls) await until('kamailio listens for TLS', () => isListening(tlsPort, 'tcp'))
  const command = async (name: string): Promise<string> =>
    (await promisify(execFile)('/usr/sbin/kamcmd', ['-s', `unix:${folder}/kamailio_ctl`, name])).stdout
  /** Dispatcher flags of a node: A active, I inactive, P probed. */
  const flagsOf = async (node: number | string): Promise<string | undefined> =>
    new RegExp(`URI: ${uri(node)}\\s+FLAGS: (\\w+)`).exec(await command('dispatcher.list'))?.[1]
  return {
    program,
    port,
    tlsPort,
    folder,
    uri: `sip:127.0.0.1:${port}`,
    command,
    /** Waits until the probes have found the node active or inactive. */
    probed: (node: number | string, isActive: boolean) =>
      until(`the proxy sees that node ${node} is ${isActive ? 'active' : 'away'}`, async () =>
        (await flagsOf(node))?.startsWith(isActive ? 'A' : 'I'),
      ),
    stop: () => program.stop(),
  }
}

export type CarrierOptions = {
  /** Accounts that may register and place calls, with their passwords. */
  accounts: Readonly<Record<string, string>>
  realm?: string
  algorithm?: 'MD5' | 'SHA-256'
  /** Numbers that subscribers can call, and the phones that ring. All other numbers get 404. */
  phones?: Readonly<Record<string, string>>
  /** Numbers that can be called from outside, and the registered account that gets the call. */
  numbers?: Readonly<Record<string, string>>
  /** Whether the called number is in the Request-URI (as with most carriers) or only in To. */
  numberIn?: 'request-uri' | 'to'
  /** Kamailio script lines at the start of its route: `sl_send_reply("403", "Forbidden"); exit;` refuses everyone. */
  route?: string
}

export type Carrier = Awaited<ReturnType<typeof startCarrier>>

/**
 * `port` is for subscribers (REGISTER with 401, calls with 407); `outsidePort` accepts calls from outside to its own
 * numbers.
 */
export async function startCarrier(options: CarrierOptions) {
  const { realm = 'carrier.test', algorithm = 'MD5', numberIn = 'request-uri', phones = {}, numbers = {} } = options
  const [port, outsidePort] = [await freeSipPort(), await freeSipPort()]
  const when = (entries: Readonly<Record<string, string>>, variable: string, then: (value: string) => string) =>
    Object.entries(entries).map(([key, value]) => `  if (${variable} == "${key}") { ${then(value)} }`)
  const lines = [
    ...common,
    ...modules('usrloc', 'registrar', 'auth'),
    parameter('usrloc', 'db_mode', 0),
    parameter('registrar', 'max_expires', 3600),
    parameter('auth', 'algorithm', algorithm === 'MD5' ? 'MD5' : 'SHA-256'),
    parameter('tm', 'fr_timer', 5000),
    `request_route {
${options.route ?? ''}${inDialog}
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if ($Rp == ${outsidePort}) route(FROM_OUTSIDE);
  $var(password) = "";
${when(options.accounts, '$au', (password) => `$var(password) = "${password}";`).join('\n')}
  if (is_method("REGISTER")) {
    if ($var(password) == "" || !pv_www_authenticate("${realm}", "$var(password)", "0")) {
      www_challenge("${realm}", "1");
      exit;
    }
    if ($au != $tU) { sl_send_reply("403", "Not your account"); exit; }
    if (!save("location")) sl_reply_error();
    exit;
  }
  if ($var(password) == "" || !pv_proxy_authenticate("${realm}", "$var(password)", "0")) {
    proxy_challenge("${realm}", "1");
    exit;
  }
  consume_credentials();
  $var(to) = "";
${when(phones, '$rU', (uri) => `$var(to) = "${uri}";`).join('\n')}
  if ($var(to) == "") { sl_send_reply("404", "No such number"); exit; }
  $ru = $var(to);
  if (is_method("INVITE")) record_route();
  if (!t_relay()) sl_reply_error();
}
route[FROM_OUTSIDE] {
  $var(account) = "";
  $var(number) = $rU;
${when(numbers, '$rU', (account) => `$var(account) = "${account}";`).join('\n')}
  if ($var(account) == "") { sl_send_reply("404", "No such number"); exit; }
  $rU = $var(account);
  if (!lookup("location")) { sl_send_reply("480", "Not registered"); exit; }
  ${numberIn === 'request-uri' ? '$rU = $var(number);' : ''}
  if (is_method("INVITE")) record_route();
  if (!t_relay()) sl_reply_error();
  exit;
}`,
  ]
  const program = await startKamailio([port, outsidePort], lines)
  return { program, port, outsidePort, realm, stop: () => program.stop() }
}

export type EdgeProxy = Awaited<ReturnType<typeof startEdgeProxy>>

/**
 * A proxy between phones and nodes: forwards requests to `node`, adds its Path to a REGISTER; calls from nodes follow
 * their Route.
 */
export async function startEdgeProxy(options: { node: number }) {
  const port = await freeSipPort()
  const lines = [
    ...common,
    ...modules('path'),
    parameter('path', 'use_received', 0),
    parameter('tm', 'fr_timer', 5000),
    `request_route {${inDialog}
  if (is_method("INVITE")) record_route();
  if (is_method("REGISTER")) { add_path(); $du = "sip:127.0.0.1:${options.node}"; }
  else if ($hdr(Route) == $null) $du = "sip:127.0.0.1:${options.node}";
  # From a node: its Route names this proxy, and the Request-URI the phone.
  else loose_route();
  if (!t_relay()) sl_reply_error();
}`,
  ]
  const program = await startKamailio([port], lines)
  return { program, port, stop: () => program.stop() }
}
