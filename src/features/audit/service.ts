// The audit service: its list and export, and the jobs that chain rows and remove old ones.
import { csvHead, csvLines } from '../../csv-xlsx/csv.ts'
import { auditor } from '../../db/audit.ts'
import type { ServiceContext } from '../service.ts'
import { auditChain } from './chain-store.ts'
import { auditRoutes } from './routes.ts'
import { auditStore } from './store.ts'

const CHAIN_MS = 60_000
const HOUR_MS = 3_600_000

export function auditService({ db, log, config }: Pick<ServiceContext, 'db' | 'log' | 'config'>) {
  const stopping = new AbortController()
  const { signal } = stopping
  const chain = auditChain(db, log, config.auditDays)
  return {
    routes: [auditRoutes({ log: auditStore(db), note: auditor(db), csvHead, csvLines })],
    jobs: [
      { name: 'chain of the audit log', everyMs: CHAIN_MS, task: () => chain.chain(signal) },
      { name: 'old audit rows', everyMs: HOUR_MS, task: () => chain.removeOld(signal) },
    ],
    stop: () => stopping.abort(),
  }
}
