// Starts, pauses, resumes and cancels a campaign.
import type { Campaign } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useAction } from '../../components/use-action.tsx'

export const staleCampaigns = ['/api/campaigns']
export type Act = 'start' | 'pause' | 'resume' | 'cancel'

export function useCampaignActs() {
  const { isPending, run } = useAction()
  const act = ({ id }: Pick<Campaign, 'id'>, name: Act, success: string) =>
    run(() => unwrap(api.POST(`/api/campaigns/{id}/${name}`, { params: { path: { id } } })), {
      success,
      stale: staleCampaigns,
    })
  return { isPending, act }
}
