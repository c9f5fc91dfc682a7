// Error codes of website widgets: the owner's, and those sent to visitors' browsers.
export const widgetsErrors = {
  widget_limit: ['conflict', 'No more than {limit} widgets'],
  widget_origin_invalid: ['invalid', 'origins: {origin} is not the origin of a site, such as https://www.example.com'],
  widget_origin_insecure: ['invalid', 'origins: {origin} must be https: http is for localhost only'],
  widget_origin_missing: ['forbidden', 'A widget is used by web pages only (Origin is missing)'],
  widget_origin_foreign: ['forbidden', 'This site is not among the allowed origins of the widget'],
  widget_inactive: ['conflict', 'This widget is not active'],
  widget_channel_off: ['conflict', 'This widget does not offer a {channel}'],
  widget_rate: ['too_many_requests', 'Too many requests: try again in a moment'],
  widget_busy: ['too_many_requests', 'All lines of this widget are busy'],
  widget_calls_used_up: [
    'too_many_requests',
    'This widget has used up its calls of today; they are renewed at 00:00 UTC',
  ],
  widget_messages_used_up: [
    'too_many_requests',
    'This widget has used up its messages of today; they are renewed at 00:00 UTC',
  ],
  widget_share_used_up: [
    'too_many_requests',
    'Your address has used up its share of the calls or messages of today; it is renewed at 00:00 UTC',
  ],
  widget_no_line: ['unavailable', 'No line is free at the moment'],
  widget_token_site: ['forbidden', 'This token belongs to another site'],
  widget_chat_token: ['unauthorized', 'The chat token is not valid, or has expired'],
  widget_chat_answering: ['conflict', 'The agent is still answering'],
  widget_chat_full: ['conflict', 'This chat has reached its length: start another'],
  widget_chat_gone: ['not_found', 'This chat no longer exists'],
  widget_no_answer: ['upstream', 'The agent cannot answer at the moment'],
} as const
