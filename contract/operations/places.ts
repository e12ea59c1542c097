import { mostSuggestions, PlaceQuery, SuggestedPlace } from '../place.ts'
import { reply } from '../schema.ts'
import { Type } from '../type.ts'
import type { Operation } from './operation.ts'

export const placeOperations = {
  suggestPlaces: {
    method: 'GET',
    path: '/api/v1/places',
    tag: 'Places',
    summary: 'Suggest addresses while one is typed, with their coordinates',
    scope: 'tasks:read',
    query: PlaceQuery,
    reply: reply({ places: Type.Array(SuggestedPlace, { maxItems: mostSuggestions }) }),
    refuses: [],
  },
} as const satisfies Record<string, Operation>
