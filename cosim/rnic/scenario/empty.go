package scenario

var registerScenarios, lifeScenarios, countScenarios, lengthScenarios []Scenario
