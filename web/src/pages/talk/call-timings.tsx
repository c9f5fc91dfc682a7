// The response times of a call while it goes on.
import type { Turn } from '../../../../client/paths.ts'
import { Waterfall } from '../../components/waterfall.tsx'
import { totalMs } from '../../components/waterfall-geometry.ts'

/** Nothing until an answer was measured. In a panel: the stages of the last one. */
export function CallTimings({ turns, isCompact }: { turns: readonly Turn[]; isCompact: boolean }) {
  const measured = turns.filter((turn) => totalMs(turn.latency) !== null)
  if (measured.length === 0) return null
  return <Waterfall turns={isCompact ? measured.slice(-1) : turns} isLastOpen isCompact={isCompact} />
}
