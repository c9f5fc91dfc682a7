// The open invitations of an organization.
import { Button, Group, Text } from '@mantine/core'
import type { MemberInvitation } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type Organization, useMay } from '../../organization.ts'
import { usersTexts } from '../users/users-texts.ts'
import { rolesGivenBy } from './members.tsx'
import { organizationTexts } from './organization-texts.ts'

export function InvitationTable({
  organization,
  rows,
  mayLink,
  onLink,
}: {
  organization: Organization
  rows: MemberInvitation[]
  /** Links for other people can be created. */
  mayLink: boolean
  onLink: (path: string) => void
}) {
  const t = { ...useTexts(usersTexts), ...useTexts(organizationTexts) }
  const c = useTexts(commonTexts)
  const mayChange = useMay('members:write')
  const { isPending, run } = useAction()
  const stale = [`/api/organizations/${organization.id}/invitations`]
  const params = ({ id }: MemberInvitation) => ({ path: { id: organization.id, invitationId: id } })
  const renew = (invitation: MemberInvitation) =>
    run(
      async () => {
        const path = '/api/organizations/{id}/invitations/{invitationId}/renew'
        onLink((await unwrap(api.POST(path, { params: params(invitation) }))).path)
      },
      { stale },
    )
  const revoke = (invitation: MemberInvitation) =>
    run(
      () => unwrap(api.DELETE('/api/organizations/{id}/invitations/{invitationId}', { params: params(invitation) })),
      { success: t.revoked, stale },
    )
  const columns: Column<MemberInvitation>[] = [
    {
      name: t.email,
      cell: ({ email, name }) => (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </>
      ),
    },
    { name: t.role, cell: ({ role }) => t.roles[role] },
    {
      name: t.expires,
      cell: ({ expiresAt, isExpired }) => (isExpired ? t.expired : <RelativeTime at={expiresAt} />),
    },
    {
      name: c.actions,
      isEnd: true,
      cell: (invitation) =>
        mayChange &&
        rolesGivenBy(organization.role).includes(invitation.role) && (
          <Group gap={4} justify="flex-end">
            <Button
              size="xs"
              variant="default"
              loading={isPending}
              disabled={!mayLink}
              aria-label={t.renewNamed(invitation.email)}
              onClick={() => void renew(invitation)}
            >
              {t.renew}
            </Button>
            <ConfirmButton
              size="xs"
              variant="subtle"
              aria-label={t.revokeNamed(invitation.email)}
              question={t.revokeQuestion(invitation.email)}
              warning={t.revokeWarning}
              confirm={t.revoke}
              onConfirm={() => revoke(invitation)}
            >
              {t.revoke}
            </ConfirmButton>
          </Group>
        ),
    },
  ]
  return <RecordTable label={t.invitations} rows={rows} columns={columns} keyOf={({ id }) => id} />
}
