import type { Card } from './card.ts';

const FLOWS = ['flows/order.drawio.svg', 'flows/hiring.drawio.svg', 'flows/release.drawio.svg'];

/** What the tools of the server `diagrams` do. */
export const diagrams: readonly Card[] = [
  {
    tool: 'diagrams/new_diagram',
    phrases: [
      'create an empty diagram at {file_path}',
      'start a blank drawing named {file_path}',
      'lay out a fresh diagram sheet in {file_path}',
    ],
    slots: {
      file_path: {
        kind: 'new-diagram',
        samples: ['flows/repair.drawio.svg', 'sketch.drawio.svg', 'plans/cellar.drawio.svg'],
      },
    },
    gives: [{ kind: 'diagram', noun: 'the path of the new diagram', pick: { pattern: 'new diagram: (\\S+)' } }],
  },
  {
    tool: 'diagrams/add_nodes',
    phrases: [
      'add a box labelled {nodes} to the diagram {file_path}',
      'draw another node called {nodes} in {file_path}',
      'insert the step {nodes} into the diagram {file_path}',
    ],
    slots: {
      nodes: {
        kind: 'text',
        samples: ['Ask the customer', 'Wait for paint', 'Count the boxes'],
        argument: [{ id: 'added', title: '$value', kind: 'Rectangle', x: 40, y: 200 }],
      },
      file_path: { kind: 'diagram', samples: FLOWS },
    },
    gives: [{ kind: 'diagram', noun: 'the diagram with the added box', pick: { pattern: 'added to (\\S+)' } }],
  },
  {
    tool: 'diagrams/link_nodes',
    phrases: [
      'connect the first step of {file_path} to its last by an arrow labelled {edges}',
      'draw a shortcut named {edges} from start to end in {file_path}',
      'link start with end in the diagram {file_path} under the label {edges}',
    ],
    slots: {
      edges: {
        kind: 'text',
        samples: ['express', 'if nothing is missing', 'in an emergency'],
        argument: [{ from: 'start', to: 'done', title: '$value' }],
      },
      file_path: { kind: 'flow-diagram', samples: FLOWS },
    },
    gives: [{ kind: 'flow-diagram', noun: 'the diagram with the new arrow', pick: { pattern: 'nodes in (\\S+)' } }],
  },
  {
    tool: 'diagrams/get_diagram_info',
    phrases: [
      'show the XML behind the diagram {file_path}',
      'inspect what the diagram {file_path} consists of',
      'tell which nodes plus edges {file_path} holds',
    ],
    slots: { file_path: { kind: 'flow-diagram', samples: FLOWS } },
    gives: [{ kind: 'text', noun: 'the label of the last step', pick: { pattern: 'id="done" value="([^"]+)"' } }],
  },
  {
    tool: 'diagrams/edit_nodes',
    phrases: [
      'relabel the first step of the diagram {file_path} as {nodes}',
      'change the title of the opening node in {file_path} to {nodes}',
      'edit the diagram {file_path} so that its start reads {nodes}',
    ],
    slots: {
      nodes: {
        kind: 'text',
        samples: ['A letter arrives', 'Someone calls', 'The bell rings'],
        argument: [{ id: 'start', title: '$value' }],
      },
      file_path: { kind: 'flow-diagram', samples: FLOWS },
    },
    gives: [{ kind: 'flow-diagram', noun: 'the relabelled diagram', pick: { pattern: 'edited in (\\S+)' } }],
  },
  {
    tool: 'diagrams/remove_nodes',
    phrases: [
      'remove the step {ids} from the diagram {file_path}',
      'delete the node with the id {ids} in {file_path}',
      'take {ids} out of the drawing {file_path}',
    ],
    slots: {
      ids: { kind: 'step-id', samples: ['check', 'approve', 'deliver'], argument: ['$value'] },
      file_path: { kind: 'flow-diagram', samples: FLOWS },
    },
    gives: [{ kind: 'flow-diagram', noun: 'the diagram without the step', pick: { pattern: ' from (\\S+)' } }],
  },
];
