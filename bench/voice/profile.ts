// CPU profiles of the platform under calls: the ten most expensive functions of each thread, as a share of the measured time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readProfiles, threadTimes } from '../report/cpu-profile.ts'
import type { Report } from '../report/report.ts'
import { measureOurs, type Wish } from './ours.ts'

const TOP = 10

export async function addProfile(report: Report, wish: Wish): Promise<void> {
  const profileFolder = mkdtempSync(join(tmpdir(), 'voice-profile-'))
  try {
    const { window } = await measureOurs({ ...wish, profileFolder })
    const wallUs = window.untilUs - window.fromUs
    const threads = readProfiles(profileFolder).map((profile) => threadTimes(profile, window))
    if (threads.length === 0) throw new Error('the platform wrote no CPU profile')
    const percent = (us: number) => `${((us / wallUs) * 100).toFixed(1)} %`
    for (const { thread, busyUs, self } of threads.sort((a, b) => b.busyUs - a.busyUs)) {
      report.heading(`${wish.calls} calls, ${thread} thread: ${percent(busyUs)} of the time at work`)
      const table = report.table(['function', 'of wall time', 'of the work'])
      for (const { name, us } of self.slice(0, TOP))
        table.row([name, percent(us), `${((us / busyUs) * 100).toFixed(1)} %`])
    }
  } finally {
    rmSync(profileFolder, { recursive: true, force: true })
  }
}
