const mostNamed = 5

/** The first few of these tasks. */
export const nameAwbs = (tasks: readonly { awb: string }[]) =>
  tasks
    .slice(0, mostNamed)
    .map(({ awb }) => awb)
    .join(', ') + (tasks.length > mostNamed ? ' …' : '')
