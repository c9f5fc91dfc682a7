// A banner per provider that calls currently skip: since when, why, and which provider takes over.
import { Alert, Anchor, Group, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Provider } from '../../../client/paths.ts'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { incidentBannerTexts } from './incident-banner-texts.ts'
import { dismissedIncidents, dismissIncident, EMBEDDED, type Incident, incidentsOf } from './incidents.ts'
import { sinceWords } from './provider-health.ts'
import { providerHealthTexts } from './provider-health-texts.ts'

/** All accounts visible to the user. */
export const AllIncidents = ({ accounts }: { accounts: readonly Provider[] }) => (
  <IncidentBanner incidents={incidentsOf(accounts)} />
)

export function IncidentBanner({ incidents }: { incidents: readonly Incident[] }) {
  const [dismissed, setDismissed] = useState(dismissedIncidents)
  return incidents
    .filter(({ id }) => !dismissed.includes(id))
    .map((incident) => (
      <Notice key={incident.id} incident={incident} onDismiss={() => setDismissed(dismissIncident(incident.id))} />
    ))
}

function Notice({ incident, onDismiss }: { incident: Incident; onDismiss: () => void }) {
  const t = useTexts(incidentBannerTexts)
  const h = useTexts(providerHealthTexts)
  const { locale } = useLanguage()
  const { kind, name, since, reason, instead } = incident
  const meanwhile = instead === null ? t.goesOn : instead === EMBEDDED ? t.embedded[kind] : t.instead(instead)
  const words = [since && t.since(sinceWords(since, locale)), reason && h.reason[reason], meanwhile]
  return (
    <Alert
      color="yellow"
      variant="light"
      role="status"
      icon={<IconPlugConnectedX size={18} aria-hidden />}
      title={t.title(name, h.kind[kind])}
      withCloseButton
      closeButtonLabel={t.dismiss}
      onClose={onDismiss}
    >
      <Group gap="xs">
        <Text size="sm">{words.filter(Boolean).join(' ')}</Text>
        <Anchor component={Link} href="/providers" size="sm" fw={600} c="inherit" underline="always">
          {t.open}
        </Anchor>
      </Group>
    </Alert>
  )
}
