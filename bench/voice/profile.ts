// CPU profiles of the platform under calls: the ten most expensive functions of each thread, as a share of the measured
// time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addThreads } from '../report/cpu-profile.ts'
import type { Report } from '../report/report.ts'
import { measureOurs, type Wish } from './ours.ts'

export async function addProfile(report: Report, wish: Wish): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'voice-profile-'))
  try {
    const { window } = await measureOurs({ ...wish, profileFolder: folder })
    addThreads(report, { title: `${wish.calls} calls`, folder, window })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
