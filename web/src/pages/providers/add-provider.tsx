// Selects the kind and the vendor of a new provider.
import { Modal, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useIsAdmin } from '../../session.tsx'
import { providerFormTexts } from './provider-form-texts.ts'
import classes from './providers.module.css'
import { providersTexts } from './providers-texts.ts'
import { useVendorTitle } from './use-vendor-title.ts'
import { type Kind, kinds, vendorsFor } from './vendors.ts'

export function AddProvider(part: {
  /** Null if the user has yet to select it. */
  kind: Kind | null
  onChoose: (kind: Kind, vendor: string) => void
  onClose: () => void
}) {
  const f = useTexts(providerFormTexts)
  const t = useTexts(providersTexts)
  const c = useTexts(commonTexts)
  const isAdmin = useIsAdmin()
  const titleOf = useVendorTitle()
  const [kind, setKind] = useState(part.kind)
  return (
    <Modal
      opened
      onClose={part.onClose}
      title={kind ? f.addOf[kind] : f.add}
      size="lg"
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {kind ? f.chooseVendor : f.chooseKind}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {kind
            ? vendorsFor(kind, isAdmin).map((vendor) => (
                <Choice
                  key={vendor}
                  title={titleOf(kind, vendor)}
                  about={(f.cards[kind] as Readonly<Record<string, string>>)[vendor] ?? ''}
                  onClick={() => part.onChoose(kind, vendor)}
                />
              ))
            : kinds.map((one) => <Choice key={one} {...t.sections[one]} onClick={() => setKind(one)} />)}
        </SimpleGrid>
      </Stack>
    </Modal>
  )
}

const Choice = ({ title, about, onClick }: { title: string; about: string; onClick: () => void }) => (
  <UnstyledButton className={classes.vendor} onClick={onClick}>
    <Text fw={600}>{title}</Text>
    <Text size="sm" c="dimmed">
      {about}
    </Text>
  </UnstyledButton>
)
