import type { Card } from './card.ts';

/** What the tools of the server `food` do. Its recipes are in Chinese. */
export const food: readonly Card[] = [
  {
    tool: 'food/mcp_howtocook_getAllRecipes',
    phrases: [
      'list all recipes of the cookbook',
      'show every dish that the cookbook knows',
      'give an index of all the recipes',
    ],
    slots: {},
    gives: [{ kind: 'recipe', noun: 'the first recipe of the cookbook', pick: { path: '0.name' } }],
  },
  {
    tool: 'food/mcp_howtocook_getRecipesByCategory',
    phrases: [
      'find the recipes of the category {category}',
      'show which dishes belong to {category} in the cookbook',
      'browse the section {category} of the cookbook',
    ],
    slots: { category: { kind: 'food-category', samples: ['早餐', '汤', '甜品', '主食', '饮品'] } },
    gives: [{ kind: 'recipe', noun: 'the first recipe of the category', pick: { path: '0.name' } }],
  },
  {
    tool: 'food/mcp_howtocook_recommendMeals',
    phrases: [
      'plan the meals of a week for {peopleCount} people',
      'suggest a weekly menu with a shopping list for {peopleCount} eaters',
      'recommend what {peopleCount} people could cook through the week',
    ],
    slots: { peopleCount: { kind: 'people-count', samples: [2, 4, 6] } },
    gives: [{ kind: 'recipe', noun: 'the first lunch of the week', pick: { path: 'weekdays.0.lunch.0.name' } }],
  },
  {
    tool: 'food/mcp_howtocook_whatToEat',
    phrases: [
      'decide what {peopleCount} people should eat today',
      'pick a set of dishes for a table of {peopleCount}',
      'help {peopleCount} hungry guests who do not know what to eat',
    ],
    slots: { peopleCount: { kind: 'people-count', samples: [1, 3, 5] } },
    gives: [{ kind: 'recipe', noun: 'the suggested dish', pick: { path: 'dishes.0.name' } }],
  },
  {
    tool: 'food/mcp_howtocook_getRecipeById',
    phrases: [
      'look up the recipe {query} with its ingredients',
      'tell how to cook {query}',
      'get the cooking steps of the dish {query}',
    ],
    slots: { query: { kind: 'recipe', samples: ['西红柿炒鸡蛋', '咖喱炒蟹', '手撕包菜', '奶油蘑菇汤'] } },
    gives: [
      { kind: 'text', noun: 'the full title of the recipe', pick: { path: 'name' } },
      { kind: 'text', noun: 'the first ingredient', pick: { path: 'ingredients.0.name' } },
    ],
  },
];
