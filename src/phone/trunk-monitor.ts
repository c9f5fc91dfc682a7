// Monitors trunks and stores their state. Each trunk is monitored by one node, chosen by rendezvous hashing among the live nodes and guarded by
// a lease, so that two nodes never register the same trunk at once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../base/process/log.ts'
import { monotonicMs } from '../base/time/clock.ts'
import { every } from '../base/time/timer.ts'
import { type Directory, trunkKey } from './directory.ts'
import type { PhoneRepository, Trunk, TrunkState } from './ports.ts'
import { trunkAssignment } from './trunk-assignment.ts'
import {
  isMonitored,
  type Report,
  settingsOf,
  startProbe,
  type TrunkProbe,
  type TrunkProbeParts,
} from './trunk-probe.ts'

/** An unchanged state is stored again after this long. */
const STORE_AGAIN_MS = 60_000
/** With these, another node takes over within 13 s of a crash. */
const LEASE_MS = 10_000
const RENEW_MS = 3000
/** Trunks that move to a node that has joined, per renewal: carriers limit the rate of REGISTERs. */
const MOVES_PER_RENEWAL = 20
/** How long the old registration is kept while the next node registers. */
const OVERLAP_MS = 5000

export type TrunkMonitorParts = TrunkProbeParts & {
  directory: Directory
  repository: Pick<
    PhoneRepository,
    'saveTrunkState' | 'otherPhoneNodes' | 'renewTrunkLeases' | 'acquireTrunkLeases' | 'releaseTrunkLeases'
  >
  nodeName: string
  /** No other node uses the same Contact. */
  hasOwnContact: boolean
  log: Log
}

const unknownState: TrunkState = { status: 'unknown', detail: null, isSeen: false }

export function trunkMonitor(parts: TrunkMonitorParts) {
  const { directory, repository, nodeName, hasOwnContact, log } = parts
  const probes = new Map<string, TrunkProbe>()
  const stopping = new Map<string, Promise<void>>()
  const states = stateWriter(parts)
  const assignment = trunkAssignment()
  const closing = Promise.withResolvers<void>()
  /** The trunks whose lease this process has. */
  let held: ReadonlySet<string> = new Set()
  let isDraining = false
  let isClosed = false

  const monitoredTrunks = () =>
    new Map(
      directory
        .trunks()
        .filter(isMonitored)
        .map((trunk) => [trunkKey(trunk), trunk]),
    )

  function stop(key: string, unregisterAfter?: Promise<void>): Promise<void> {
    const probe = probes.get(key)
    if (!probe) return stopping.get(key) ?? Promise.resolve()
    probes.delete(key)
    const stopped = Promise.resolve(probe.stop(unregisterAfter)).finally(() => {
      stopping.delete(key)
      update()
    })
    stopping.set(key, stopped)
    return stopped
  }

  /** Stops the probes of trunks that are gone or have changed, and starts those whose lease this node has. */
  function update(): void {
    if (isClosed) return
    const trunks = new Map(directory.trunks().map((trunk) => [trunkKey(trunk), trunk]))
    for (const [key, { settings }] of probes) {
      const trunk = trunks.get(key)
      if (trunk && settings === settingsOf(trunk)) continue
      void stop(key)
      // The stored state belongs to the old settings.
      if (trunk) states.write(trunk, unknownState)
    }
    for (const key of held) {
      const trunk = trunks.get(key)
      // An unregistration must not overtake the new registration: both have the same Contact.
      if (!trunk || probes.has(key) || stopping.has(key)) continue
      const started = startProbe(parts, trunk, states.reporter(trunk))
      if (started) probes.set(key, started)
    }
  }

  /** Another node has taken the lease: this one was paused, or cut off from the database. */
  function giveUp(key: string): void {
    log.warn({ trunk: key }, 'another node has taken over this trunk')
    if (hasOwnContact) return void stop(key)
    probes.get(key)?.abandon()
    probes.delete(key)
  }

  /**
   * The next node registers as soon as the lease is free. Our own Contact is removed after that; a Contact that the nodes share must
   * be removed before, or the removal would undo the registration of the next node.
   */
  async function handOver(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    log.info({ trunks: keys.length }, 'trunks handed to other nodes')
    const overlap = hasOwnContact
      ? Promise.race([closing.promise, sleep(OVERLAP_MS, undefined, { ref: false })])
      : undefined
    const stopped = Promise.all(keys.map((key) => stop(key, overlap)))
    if (!hasOwnContact) await stopped
    await repository.releaseTrunkLeases(keys)
  }

  async function renew(): Promise<void> {
    const others = await repository.otherPhoneNodes()
    assignment.setNodes(isDraining && others.length > 0 ? others : [...others, nodeName])
    const kept = new Set(await repository.renewTrunkLeases(LEASE_MS))
    for (const key of [...probes.keys()]) if (!kept.has(key)) giveUp(key)
    const trunks = monitoredTrunks()
    assignment.keepOnly(trunks)
    const isMine = (key: string) => assignment.nodeOf(key) === nodeName
    const free = [...trunks.keys()].filter((key) => isMine(key) && !kept.has(key) && !stopping.has(key))
    const acquired = await repository.acquireTrunkLeases(free, LEASE_MS)
    const unused = [...kept].filter((key) => !trunks.has(key) && !stopping.has(key) && !probes.has(key))
    const leaving = [...kept].filter((key) => trunks.has(key) && !isMine(key) && !stopping.has(key))
    const moving = leaving.slice(0, isDraining ? leaving.length : MOVES_PER_RENEWAL)
    const given = new Set([...moving, ...unused])
    held = new Set([...kept, ...acquired].filter((key) => !given.has(key)))
    update()
    if (unused.length > 0) await repository.releaseTrunkLeases(unused)
    await handOver(moving)
  }

  const renewing = every(RENEW_MS, renew, (err) => log.warn({ err }, 'failed to renew trunk leases'))
  directory.onChange(() => {
    update()
    renewing.wake()
  })

  return {
    /** Checks the trunk again now. */
    refresh: (trunk: { userId: string; id: string }): void => probes.get(trunkKey(trunk))?.refresh(),
    /** Hands the trunks to the other nodes, if there are any. */
    drain(): void {
      isDraining = true
      renewing.wake()
    },
    async close(): Promise<void> {
      isClosed = true
      await renewing.stop()
      closing.resolve()
      const keys = [...new Set([...held, ...probes.keys(), ...stopping.keys()])]
      const release = () =>
        repository.releaseTrunkLeases(keys).catch((err) => log.warn({ err }, 'failed to release trunk leases'))
      if (hasOwnContact) await release()
      for (const key of [...probes.keys()]) void stop(key)
      await Promise.all(stopping.values())
      await states.written()
      if (!hasOwnContact) await release()
    },
  }
}

/** Stores states in sequence: over two database connections an older one could overwrite a newer one. */
function stateWriter({ repository, directory, log }: TrunkMonitorParts) {
  let writing: Promise<void> = Promise.resolve()
  function write(trunk: Trunk, state: TrunkState): void {
    const { userId, id } = trunk
    writing = writing
      .then(() => repository.saveTrunkState(userId, id, state))
      .then(async () => {
        if (state.status !== 'registering') directory.setRegistered({ userId, id }, state.status === 'registered')
        if (state.registeredAt) await directory.prove(trunk, state.registeredAt, 'registration')
      })
      .catch((err) => log.warn({ err, trunkId: id }, 'failed to store trunk state'))
  }
  return {
    write,
    written: () => writing,
    reporter(trunk: Trunk): Report {
      let last = ''
      let storedAt = 0
      return (state) => {
        const text = `${state.status} ${state.detail ?? ''} ${state.registeredAt ?? ''}`
        if (text === last && monotonicMs() - storedAt < STORE_AGAIN_MS) return
        if (text !== last)
          log.info({ trunkId: trunk.id, status: state.status, detail: state.detail }, 'trunk state changed')
        last = text
        storedAt = monotonicMs()
        write(trunk, state)
      }
    },
  }
}
