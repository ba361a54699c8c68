// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// A public list of addresses with the interface of the sanctions oracle on mainnets. Here anybody may write it.
contract SanctionsList {
    mapping(address account => bool) public isSanctioned;

    function addToSanctionsList(address[] calldata accounts) external {
        for (uint256 index; index < accounts.length; ++index) isSanctioned[accounts[index]] = true;
    }
}
