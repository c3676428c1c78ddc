package scenario

var lifeScenarios, countScenarios, lengthScenarios []Scenario
