// The members of an organization, with their roles.
import { Select, Stack, Switch, Text } from '@mantine/core'
import type { Member } from '../../../../client/paths.ts'
import { type MemberRole, memberRoles, permissionsOf } from '../../../../src/base/domain/organization-roles.ts'
import { api, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type Organization, useMay } from '../../organization.ts'
import { fetchSession, useSession } from '../../session.tsx'
import { organizationTexts } from './organization-texts.ts'

/** Only an owner makes, changes or removes owners. */
export const rolesGivenBy = (role: MemberRole): readonly MemberRole[] =>
  memberRoles.filter((one) => role === 'owner' || one !== 'owner')

export function MemberTable({ organization, rows }: { organization: Organization; rows: Member[] }) {
  const t = useTexts(organizationTexts)
  const c = useTexts(commonTexts)
  const own = useSession().data?.user?.id
  const mayChange = useMay('members:write')
  const { isPending, run } = useAction()
  const stale = [`/api/organizations/${organization.id}/`, '/api/api-keys/makers']
  const isFixed = ({ role }: Member) => !mayChange || (role === 'owner' && organization.role !== 'owner')
  const params = (member: Member) => ({ path: { id: organization.id, personId: member.id } })
  const change = (member: Member, body: Partial<Pick<Member, 'role' | 'mayListen' | 'mayExport'>>) =>
    run(
      async () => {
        await unwrap(api.PATCH('/api/organizations/{id}/members/{personId}', { params: params(member), body }))
        if (member.id === own) await fetchSession()
      },
      { success: t.changed, stale },
    )
  const remove = (member: Member) =>
    run(() => unwrap(api.DELETE('/api/organizations/{id}/members/{personId}', { params: params(member) })), {
      success: t.removed,
      stale,
    })
  const columns: Column<Member>[] = [
    { name: t.member, cell: (member) => <Person member={member} isOwn={member.id === own} /> },
    {
      name: t.role,
      cell: (member) =>
        isFixed(member) ? (
          t.roles[member.role]
        ) : (
          <Select
            aria-label={t.roleOf(member.name)}
            w={180}
            size="xs"
            allowDeselect={false}
            disabled={isPending}
            value={member.role}
            data={rolesGivenBy(organization.role).map((value) => ({ value, label: t.roles[value] }))}
            onChange={(role) => role && void change(member, { role })}
          />
        ),
    },
    {
      name: t.extras,
      cell: (member) => (
        <Stack gap={4} py={6}>
          {(['mayListen', 'mayExport'] as const).map((extra) => {
            const isOfRole = permissionsOf(member.role).has(extra === 'mayListen' ? 'recordings:read' : 'exports:read')
            return (
              <Switch
                key={extra}
                size="xs"
                label={t[extra]}
                styles={{ label: { whiteSpace: 'nowrap' } }}
                aria-label={t.ofMember(t[extra], member.name)}
                checked={isOfRole || member[extra]}
                disabled={isOfRole || isFixed(member) || isPending}
                onChange={(event) => void change(member, { [extra]: event.currentTarget.checked })}
              />
            )
          })}
        </Stack>
      ),
    },
    { name: t.lastSignIn, cell: ({ lastSignInAt }) => <RelativeTime at={lastSignInAt} fallback={c.never} /> },
    {
      name: c.actions,
      isEnd: true,
      cell: (member) =>
        member.id !== own &&
        !isFixed(member) && (
          <ConfirmButton
            size="xs"
            variant="subtle"
            aria-label={t.removeNamed(member.name)}
            question={t.removeQuestion(member.name)}
            warning={t.removeWarning}
            confirm={t.remove}
            onConfirm={() => remove(member)}
          >
            {t.remove}
          </ConfirmButton>
        ),
    },
  ]
  return <RecordTable label={t.members} rows={rows} columns={columns} keyOf={({ id }) => id} />
}

function Person({ member: { name, email, isActive }, isOwn }: { member: Member; isOwn: boolean }) {
  const t = useTexts(organizationTexts)
  const notes = [...(isOwn ? [t.you] : []), ...(isActive ? [] : [t.disabled])]
  return (
    <>
      <Text fw={600} size="sm">
        {name}
        {notes.length > 0 && (
          <Text span c="dimmed" fw={400} size="sm">
            {` (${notes.join(', ')})`}
          </Text>
        )}
      </Text>
      {email && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      )}
    </>
  )
}
