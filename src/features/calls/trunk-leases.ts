// Decides which node monitors which trunk: one lease per trunk, renewed and acquired in bulk.
import { countPhoneChange } from '../../db/change-counter.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { acquireLeases, releaseLeases, renewLeases } from '../../db/leases.ts'
import { listNodes } from '../../db/nodes.ts'
import type { PhoneRepository } from '../../phone/ports.ts'

/** `processId` changes with each start. */
export type PhoneNode = { name: string; processId: string }

type TrunkLeases = Pick<
  PhoneRepository,
  'otherPhoneNodes' | 'renewTrunkLeases' | 'acquireTrunkLeases' | 'releaseTrunkLeases'
>

const PREFIX = 'trunk:'

export function trunkLeases(db: Db, { name, processId: holder }: PhoneNode): TrunkLeases {
  // SQLite serves a single process, which need not wait for leases of an earlier one.
  const isAlone = !isPostgres(db)
  const trunksOf = (names: readonly string[]) => names.map((each) => each.slice(PREFIX.length))
  const namesOf = (trunks: readonly string[]) => trunks.map((trunk) => `${PREFIX}${trunk}`)
  return {
    async otherPhoneNodes() {
      if (isAlone) return []
      const nodes = (await listNodes(db)).filter((node) => node.isAlive && !node.isDraining && node.maxCalls !== null)
      return nodes.flatMap((node) => (node.name === name ? [] : [node.name]))
    },
    renewTrunkLeases: async (forMs) => trunksOf(await renewLeases(db, { prefix: PREFIX, holder }, forMs)),
    acquireTrunkLeases: async (trunks, forMs) =>
      trunksOf(await acquireLeases(db, { names: namesOf(trunks), holder, isAlone }, forMs)),
    async releaseTrunkLeases(trunks) {
      await releaseLeases(db, { names: namesOf(trunks), holder })
      if (!isAlone && trunks.length > 0) await countPhoneChange(db)
    },
  }
}
