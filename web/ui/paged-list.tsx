import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSay } from '../words/shared.ts'
import { Button } from './button.tsx'
import { Loaded } from './state.tsx'

const onAPage = 50

interface Paging {
  limit: number
  cursor?: string
}

interface Props<Item> {
  queryKey: QueryKey
  read: (paging: Paging) => Promise<{ items: Item[]; nextCursor?: string | undefined }>
  /** How often it is read again. */
  everyMs?: number
  /** Shown if there is nothing. */
  empty: ReactNode
  children: (item: Item) => ReactNode
}

/** A list that is read a page at a time. */
export function PagedList<Item>({ queryKey, read, everyMs, empty, children }: Props<Item>) {
  const say = useSay()
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read({ limit: onAPage, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  })
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className="grid gap-3">
      <Loaded query={list}>{() => items.length === 0 && !list.hasNextPage && empty}</Loaded>
      <ul className="grid gap-1.5">{items.map(children)}</ul>
      {list.hasNextPage && (
        <Button className="justify-self-start" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {say(items.length === 0 ? 'searchFurther' : 'more')}
        </Button>
      )}
    </div>
  )
}
