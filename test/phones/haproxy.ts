// HAProxy with the configuration of deploy/haproxy in front of two nodes.
import { join } from 'node:path'
import { freePort } from '../servers.ts'
import { until } from '../until.ts'
import { isListening } from './ports.ts'
import { newFolder, startProgram } from './program.ts'

const shipped = join(import.meta.dirname, '../../deploy/haproxy/haproxy.cfg')

/** `nodes` are base URLs. */
export async function startHaproxy(nodes: readonly [string, string]) {
  const folder = newFolder('haproxy')
  const port = await freePort()
  const [NODE_1, NODE_2] = nodes.map((url) => new URL(url).host) as [string, string]
  const env = { HTTP_BIND: `127.0.0.1:${port}`, NODE_1, NODE_2 }
  const program = startProgram('haproxy', ['-db', '-f', shipped], { folder, env })
  await until('haproxy listens', () => {
    if (!program.isRunning()) throw new Error(`haproxy has ended:\n${program.lastWords()}`)
    return isListening(port, 'tcp')
  })
  const url = `http://127.0.0.1:${port}`
  /** The node that served a request. */
  const servedBy = async () => (await fetch(`${url}/healthz`)).headers.get('x-served-by')
  return { program, url, servedBy, stop: () => program.stop() }
}
