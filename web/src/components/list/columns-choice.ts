// The user's choice of columns for a list, stored in this browser.
import { useState } from 'react'
import { useSession } from '../../session.tsx'

type Chosen = Readonly<Record<string, boolean>>

const keyOf = (userId: string, list: string) => `ramal.columns.${userId}.${list}`

/** The stored value may come from an older version, or not be ours at all. */
function readChoice(text: string | null): Chosen {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, value]) => typeof value === 'boolean'))
  } catch {
    return {}
  }
}

export function useColumnChoice(list: string) {
  const key = keyOf(useSession().data?.user?.id ?? '', list)
  const [chosen, setChosen] = useState<Chosen>(() => readChoice(localStorage.getItem(key)))
  const save = (next: Chosen) => {
    setChosen(next)
    localStorage.setItem(key, JSON.stringify(next))
  }
  return {
    isShown: (column: { key: string; isExtra?: boolean }): boolean => chosen[column.key] ?? !column.isExtra,
    show: (column: string, isShown: boolean) => save({ ...chosen, [column]: isShown }),
    reset: () => save({}),
    isChosen: Object.keys(chosen).length > 0,
  }
}
