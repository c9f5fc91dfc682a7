// A group of fields under one label.
import { Fieldset } from '@mantine/core'
import type { ReactNode } from 'react'

export function FieldGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Fieldset
      variant="unstyled"
      legend={label}
      p={0}
      m={0}
      styles={{ legend: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 500, padding: 0, marginBottom: 4 } }}
    >
      {children}
    </Fieldset>
  )
}
