// Kamailio in tests: as a load balancer in front of nodes, and as a carrier.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

async function startKamailio(ports: readonly number[], lines: readonly string[], files: Record<string, string> = {}) {
  const folder = newFolder('kamailio')
  const config = ['#!KAMAILIO', 'log_stderror=yes', 'children=2', 'auto_aliases=no', ...ports.flatMap(listen), ...lines]
  writeFileSync(join(folder, 'kamailio.cfg'), `${config.join('\n').replaceAll('{folder}', folder)}\n`)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const args = ['-f', 'kamailio.cfg', '-P', join(folder, 'pid'), '-Y', folder, '-m', '64', '-M', '8', '-DD', '-E']
  // SIGKILL to its main process would leave its children running.
  const program = startProgram('kamailio', args, { folder, whenOrphaned: 'TERM' })
  await until('kamailio listens', () => {
    if (!program.isRunning()) throw new Error(`kamailio has ended:\n${program.lastWords()}`)
    return ports.every((port) => isListening(port, 'udp') && isListening(port, 'tcp'))
  })
  return program
}

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/** Balances over nodes at these ports: calls round-robin, a device always to the same node, failover when a node is dead or answers 503. */
export async function startBalancer(options: { nodes: readonly number[]; port?: number; pingSeconds?: number }) {
  const port = options.port ?? (await freeSipPort())
  const list = options.nodes.map((node, i) => `1 sip:127.0.0.1:${node} 0 0 duid=n${i + 1};weight=50\n`).join('')
  const lines = [
    ...common,
    ...modules('dispatcher'),
    // A node without a response for this long is skipped: it must send 100 at once.
    parameter('tm', 'fr_timer', 2000),
    parameter('dispatcher', 'list_file', '{folder}/dispatcher.list'),
    parameter('dispatcher', 'flags', 2),
    parameter('dispatcher', 'xavp_dst', '_dsdst_'),
    parameter('dispatcher', 'xavp_ctx', '_dsctx_'),
    parameter('dispatcher', 'ds_ping_interval', options.pingSeconds ?? 1),
    parameter('dispatcher', 'ds_probing_mode', 1),
    parameter('dispatcher', 'ds_probing_threshold', 2),
    parameter('dispatcher', 'ds_inactive_threshold', 1),
    parameter('dispatcher', 'ds_ping_reply_codes', 'class=2;code=404;code=405;code=486'),
    `request_route {${inDialog}
  if (is_method("OPTIONS") && uri == myself && $rU == $null) { sl_send_reply("200", "OK"); exit; }
  remove_hf("Route");
  if (is_method("INVITE")) record_route();
  # 2: by the From, so that a device stays with its node. 4: in turn.
  $var(how) = 4;
  if (is_method("REGISTER")) $var(how) = 2;
  if (!ds_select_dst("1", "$var(how)")) { send_reply("503", "No node"); exit; }
  t_on_failure("NODE_FAILED");
  if (!t_relay()) sl_reply_error();
}
failure_route[NODE_FAILED] {
  if (t_is_canceled()) exit;
  # "p" alone would forget the misses, and the dead node would never leave the set.
  if (t_branch_timeout() && !t_branch_replied()) ds_mark_dst("ip");
  else if (!t_check_status("500|503")) exit;
  if (ds_next_dst()) { t_on_failure("NODE_FAILED"); t_relay(); exit; }
}`,
  ]
  const program = await startKamailio([port], lines, { 'dispatcher.list': list })
  return { program, port, uri: `sip:127.0.0.1:${port}`, stop: () => program.stop() }
}

export type CarrierOptions = {
  /** Accounts that may register and call out, with their passwords. */
  accounts: Readonly<Record<string, string>>
  realm?: string
  algorithm?: 'MD5' | 'SHA-256'
  /** Numbers that subscribers can call, and the phones that ring. Others get 404. */
  phones?: Readonly<Record<string, string>>
  /** Numbers that can be called from outside, and the registered account that gets the call. */
  numbers?: Readonly<Record<string, string>>
  /** Whether the called number is in the Request-URI (as with most carriers) or only in To. */
  numberIn?: 'request-uri' | 'to'
  /** Kamailio script lines at the start of its route: `sl_send_reply("403", "Forbidden"); exit;` blocks everybody. */
  route?: string
}

export type Carrier = Awaited<ReturnType<typeof startCarrier>>

/** `port` is for subscribers (REGISTER with 401, calls with 407); `outsidePort` accepts calls from outside to our numbers. */
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

/** Between phones and nodes: requests to the proxy go to the node at `node`, with its own Path on a REGISTER; calls from nodes follow their Route. */
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
