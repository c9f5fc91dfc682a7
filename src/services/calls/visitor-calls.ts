// Calls of website visitors: whether their widget still offers them, its limits, and its count of sessions.
import type { WidgetSessions } from '../../api/widgets/sessions.ts'
import type { OwnedWidget, WidgetStore } from '../../api/widgets/store.ts'
import { appError } from '../../base/errors.ts'
import type { WebCallGrant } from '../../webcall/call-token.ts'

export function visitorCalls(widgets: Pick<WidgetStore, 'published'>, sessions: WidgetSessions) {
  /** The widget as it is now: it may have changed since the token was issued. */
  async function widgetOf({ agentId, widget }: WebCallGrant): Promise<OwnedWidget | undefined> {
    if (!widget) return undefined
    const current = await widgets.published(widget.id)
    const isOffered =
      current?.isActive &&
      current.agentId === agentId &&
      current.channels.includes('call') &&
      current.origins.includes(widget.origin)
    if (!isOffered) throw appError('web_call_token_invalid')
    return current
  }

  return {
    /** Throws when a call could not be opened now. */
    check: (widget: OwnedWidget) => sessions.checkCall(widget),

    async limitMs(grant: WebCallGrant): Promise<number | null> {
      const widget = await widgetOf(grant)
      return widget ? widget.limits.maxCallSeconds * 1000 : null
    },

    /** Counts the call among the widget's sessions and in its budget; throws 429. */
    async open(grant: WebCallGrant): Promise<void> {
      const widget = await widgetOf(grant)
      if (widget) await sessions.openCall(widget, grant.callId)
    },

    async close({ widget, callId }: WebCallGrant): Promise<void> {
      if (widget) await sessions.closeCall(callId)
    },
  }
}
