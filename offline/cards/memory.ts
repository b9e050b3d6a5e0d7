import type { Card } from './card.ts';

/** What the tools of the server `memory` do. */
export const memory: readonly Card[] = [
  {
    tool: 'memory/create_entities',
    phrases: [
      'add an entity named {entities} to the knowledge graph',
      'create a node called {entities} in memory',
      'remember {entities} as a new thing in the graph',
    ],
    slots: {
      entities: {
        kind: 'text',
        samples: ['Blue Bench', 'Night Ferry', 'Paper Lantern', 'Stone Oven'],
        argument: [{ name: '$value', entityType: 'thing', observations: [] }],
      },
    },
    gives: [{ kind: 'entity', noun: 'the name of the new entity', pick: { path: '0.name' } }],
  },
  {
    tool: 'memory/create_relations',
    phrases: [
      'record that the Harbour Workshop uses {relations}',
      'link the Harbour Workshop to {relations} as something it uses',
      'connect {relations} with the Harbour Workshop in the knowledge graph',
    ],
    slots: {
      relations: {
        kind: 'text',
        samples: ['Brass Clock', 'Tide Lamp', 'Red Kiln'],
        argument: [{ from: 'Harbour Workshop', to: '$value', relationType: 'uses' }],
      },
    },
    gives: [{ kind: 'text', noun: 'the target of the new relation', pick: { path: '0.to' } }],
  },
  {
    tool: 'memory/add_observations',
    phrases: [
      'note about the Old Lathe that it {observations}',
      'add the observation {observations} to the Old Lathe',
      'write down {observations} as a fact about the Old Lathe',
    ],
    slots: {
      observations: {
        kind: 'text',
        samples: ['hums at high speed', 'was oiled by Tomas', 'stands near the window'],
        argument: [{ entityName: 'Old Lathe', contents: ['$value'] }],
      },
    },
    gives: [{ kind: 'text', noun: 'the added observation', pick: { path: '0.addedObservations.0' } }],
  },
  {
    tool: 'memory/delete_entities',
    phrases: [
      'delete the entity {entityNames} from the knowledge graph',
      'forget everything about {entityNames}',
      'remove the node {entityNames} from memory',
    ],
    slots: {
      entityNames: { kind: 'entity', samples: ['Red Kiln', 'Paper Press', 'Glass Saw'], argument: ['$value'] },
    },
    gives: [],
  },
  {
    tool: 'memory/delete_observations',
    phrases: [
      'strike the observation {deletions} from Tomas Berg',
      'take back that Tomas Berg {deletions}',
      'erase the remark {deletions} about Tomas Berg',
    ],
    slots: {
      deletions: {
        kind: 'observation',
        samples: ['repairs clocks', 'joined in spring'],
        argument: [{ entityName: 'Tomas Berg', observations: ['$value'] }],
      },
    },
    gives: [],
  },
  {
    tool: 'memory/delete_relations',
    phrases: [
      'remove the relation saying that {relations} works at the Harbour Workshop',
      'unlink {relations} from the Harbour Workshop as a place of work',
      'record no longer that {relations} works at the Harbour Workshop',
    ],
    slots: {
      relations: {
        kind: 'worker',
        samples: ['Tomas Berg', 'Wim Jansen'],
        argument: [{ from: '$value', to: 'Harbour Workshop', relationType: 'works at' }],
      },
    },
    gives: [],
  },
  {
    tool: 'memory/read_graph',
    phrases: [
      'show the entire knowledge graph',
      'recall everything that is stored in memory',
      'dump all entities together with their relations',
    ],
    slots: {},
    gives: [{ kind: 'entity', noun: 'the first entity of the graph', pick: { path: 'entities.0.name' } }],
  },
  {
    tool: 'memory/search_nodes',
    phrases: [
      'search the knowledge graph for {query}',
      'find what memory knows about {query}',
      'look for nodes that mention {query}',
    ],
    slots: { query: { kind: 'graph-keyword', samples: ['clock', 'spring', 'accounts', 'lathe'] } },
    gives: [{ kind: 'entity', noun: 'the entity that was found', pick: { path: 'entities.0.name' } }],
  },
  {
    tool: 'memory/open_nodes',
    phrases: [
      'open the node {names} of the knowledge graph',
      'recall the details stored for the entity {names}',
      'look up the entry of {names} in memory',
    ],
    slots: {
      names: { kind: 'known-entity', samples: ['Brass Clock', 'Ines Duarte', 'Wim Jansen'], argument: ['$value'] },
    },
    gives: [{ kind: 'text', noun: 'the first observation of the entity', pick: { path: 'entities.0.observations.0' } }],
  },
];
