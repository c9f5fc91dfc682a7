// Contacts in doubt: it is unknown whether they were called, so the user decides.
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconHelpHexagon } from '@tabler/icons-react'
import type { Campaign, CampaignContact } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { Editable } from '../../components/editable.tsx'
import { formatNumber } from '../../components/phone-number.ts'
import { useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { campaignTexts } from './campaign-texts.ts'
import { dataOf } from './contacts-section.tsx'
import { staleCampaigns as stale } from './use-campaign-acts.ts'

const resolutions = { completed: 'reached', retry: 'again', give_up: 'giveUp' } as const
type Resolution = keyof typeof resolutions

export function InDoubt({ campaign }: { campaign: Campaign }) {
  const t = useTexts(campaignTexts)
  const pages = usePages<CampaignContact>(`/api/campaigns/${campaign.id}/contacts`, { status: 'in_doubt' }, 20)
  if (campaign.contacts.in_doubt === 0 || !pages.data?.length) return null
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconHelpHexagon aria-hidden />}
      title={`${t.inDoubt}: ${campaign.contacts.in_doubt}`}
      component="section"
      role="region"
      aria-label={t.inDoubt}
      styles={{ message: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="sm">
        <Text size="sm">{t.inDoubtAbout}</Text>
        <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {pages.data.map((contact) => (
            <Group key={contact.id} component="li" justify="space-between" gap="xs">
              <Text size="sm" className="numbers">
                {contact.phoneNumber ? formatNumber(contact.phoneNumber) : t.forgotten}
                {dataOf(contact, campaign) && ` · ${dataOf(contact, campaign)}`}
              </Text>
              <Editable>
                <ResolveButtons contact={contact} />
              </Editable>
            </Group>
          ))}
        </Stack>
        <LoadMore pages={pages} />
      </Stack>
    </Alert>
  )
}

export function ResolveButtons({ contact }: { contact: CampaignContact }) {
  const t = useTexts(campaignTexts)
  const { isPending, run } = useAction()
  const { id: contactId, campaignId: id, phoneNumber } = contact
  const who = phoneNumber ? formatNumber(phoneNumber) : t.forgotten
  const resolve = (resolution: Resolution) =>
    run(
      () =>
        unwrap(
          api.POST('/api/campaigns/{id}/contacts/{contactId}/resolve', {
            params: { path: { id, contactId } },
            body: { resolution },
          }),
        ),
      { success: t.resolved, stale },
    )
  return (
    <Group gap="xs">
      {(Object.keys(resolutions) as Resolution[]).map((resolution) => (
        <Button
          key={resolution}
          size="xs"
          variant="default"
          disabled={isPending}
          aria-label={t.forContact(t[resolutions[resolution]], who)}
          onClick={() => void resolve(resolution)}
        >
          {t[resolutions[resolution]]}
        </Button>
      ))}
    </Group>
  )
}
