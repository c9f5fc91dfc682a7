// Forms that only those who may change the page's records can use; to others they show the values.
import type { ReactNode } from 'react'
import { useMayChange } from '../organization.ts'

export function Editable({ children }: { children: ReactNode }) {
  if (useMayChange()) return children
  return (
    <fieldset disabled style={{ display: 'contents' }}>
      {children}
    </fieldset>
  )
}
