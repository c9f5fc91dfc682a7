// `ramal audit verify`: recomputes the chain of the audit log.
import { auditedOrganizations, type Verification, verifyAudit } from '../features/audit/verify-store.ts'
import type { Command } from './command.ts'

export const auditCommands: Record<string, Command> = {
  'audit verify': {
    usage: 'audit verify [--organization ID] [--head HASH]',
    summary:
      'Recompute the chain of the audit log; HASH is a head from the log or from an audit.chained event, which must be in it. Exit code 1 if something is wrong',
    async run({ database: { db }, options, print }) {
      const head = options.head?.toLowerCase() ?? null
      const ids = options.organization ? [options.organization] : await auditedOrganizations(db)
      const results: Verification[] = []
      for (const id of ids) {
        const result = await verifyAudit(db, id, head)
        results.push(result)
        for (const line of linesOf(id, result)) print(line)
      }
      const hasHead = head === null || results.some((result) => result.hasHead)
      if (!hasHead) print(`no chain has the head ${head}: rows at its end were removed, or it was rewritten`)
      return hasHead && results.every(({ findings }) => findings.length === 0)
    },
  },
}

const texts: Record<Verification['findings'][number]['problem'], string> = {
  edited: 'edited',
  removed: 'removed',
  reordered: 'in another order than they were written',
  rewritten: 'not what the head of their batch was made from: they were rewritten',
  added: 'not part of any batch: their batch was removed, or they were added by hand',
}

function linesOf(id: string, { rows, waiting, removedUpTo, head, findings }: Verification): string[] {
  const wrong = findings.map(({ problem, first, last }) => {
    const which = first === last ? `row ${first}` : `rows ${first} to ${last}`
    return `${id}  ${which}: ${texts[problem]}`
  })
  const end = head ? `head ${head.sequence} ${head.hash}` : 'no head yet'
  const old = removedUpTo > 0 ? `, 1 to ${removedUpTo} removed by retention` : ''
  return [...wrong, `${id}  ${rows} rows checked${old}, ${waiting} not chained yet, ${end}`]
}
