// Starts a child process without network access if the system permits it: in its own network namespace, which has only
// a loopback interface. Linux only, as root or where users may create namespaces; not in most containers.
import { execFile } from 'node:child_process'

export type Start = { execPath: string; execArgv: string[] }

const UNSHARE = '/usr/bin/unshare'
const PROBE_MS = 5000
const ways = [['--net'], ['--user', '--net']]
let known: Promise<readonly string[] | null> | undefined

const works = (way: readonly string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const args = [...way, '--', process.execPath, '--version']
    execFile(UNSHARE, args, { timeout: PROBE_MS, env: {} }, (error) => resolve(error === null))
  })

async function firstWay(): Promise<readonly string[] | null> {
  for (const way of ways) if (await works(way)) return way
  return null
}

/** Whether a process can be started without a network here; checked once. */
export const canIsolate = async (): Promise<boolean> => (await way()) !== null

const way = () => {
  known ??= firstWay()
  return known
}

/** How to start Node.js with these arguments: without a network if possible, otherwise as usual. */
export async function startWithoutNetwork(nodeArgs: string[]): Promise<Start> {
  const found = await way()
  if (!found) return { execPath: process.execPath, execArgv: nodeArgs }
  return { execPath: UNSHARE, execArgv: [...found, '--', process.execPath, ...nodeArgs] }
}
